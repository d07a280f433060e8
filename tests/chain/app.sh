#!/usr/bin/env bash
# An application for the tests of chains. It counts from 1 to $1, one step per minute, saves its state when it is warned, and
# continues from there. Each process writes the steps that it does to steps.<rank>. A step counts as done when its state is
# saved, so a crash repeats the steps since the last save (every SAVE_EVERY steps, default: 20). A file named crash with a step
# number in it makes the application fail once at that step.
set -u
last=$1
rank=${RANK:-0}
state=$RV_CHECKPOINT_DIR/$rank
step=0
[ ! -r "$state" ] || read -r step <"$state"
save() { echo "$step" >"$state.new" && mv "$state.new" "$state"; }
warned=""
trap 'warned=1' USR1
while [ "$step" -lt "$last" ]; do
  sleep 60 &
  wait $!
  kill $! 2>/dev/null
  step=$((step + 1))
  echo "$step $RV_SEGMENT" >>"steps.$rank"
  if [ $((step % ${SAVE_EVERY:-20})) -eq 0 ] || [ -n "$warned" ]; then save; fi
  [ -z "$warned" ] || exit 75 # to be continued: what a shell line has after && must not begin
  if [ -e crash ] && [ "$step" -eq "$(<crash)" ] && [ "$rank" -eq 0 ]; then
    rm crash
    save
    exit 41
  fi
done
echo "rank $rank has done $last steps"
