#!/usr/bin/env bash
# An application that saves its state when it is warned and continues from there: counts from 1 to $1, a step a minute.
# Each process writes each step that it does to steps.<rank>; a step counts as done when its state is saved, so what was
# done after the last saving (every SAVE_EVERY steps, 20) is done again after a crash. A file named crash with a step number
# in it makes it fail there once.
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
