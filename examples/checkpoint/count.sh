#!/usr/bin/env bash
# count.cpp as a shell script: counts to $1 with one step per second, and may be ended at any moment.
#
#   rv run --checkpoint --time 12h -g 1 ./count.sh 40000
set -eu
last=${1:-60}
state=${RV_CHECKPOINT_DIR:-.}/count

# Writes a new file first: the old state stays complete until the new one is.
save() { echo "$step" >"$state.new" && mv "$state.new" "$state"; }

step=0
[ ! -r "$state" ] || read -r step <"$state"
warned=""
trap 'warned=1' USR1 # bash runs it when the command in the foreground has ended: keep those short, or wait for them
echo "from step $step"
while [ "$step" -lt "$last" ]; do
  sleep 1
  step=$((step + 1))
  if [ $((step % 300)) -eq 0 ] || [ -n "$warned" ]; then save; fi
  if [ -n "$warned" ]; then
    echo "saved at step $step"
    exit 75 # to be continued, so that 'count.sh && evaluate' does not evaluate yet
  fi
done
save
echo "all $last steps are done"
