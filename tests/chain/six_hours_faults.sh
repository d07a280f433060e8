#!/usr/bin/env bash
# Six hours of work finish in windows of 120 minutes, on one node and on two, although the application crashes, is killed, and
# loses a node on the way.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

export SAVE_EVERY=1 # what a step did is saved with it, so that only a step cut in two can be done twice
last=250
sandbox=$root/examples/sandbox/sandbox
for name in one wide; do
  mkdir "$name"
  cp "$here/app.sh" "$name/app.sh"
  echo 30 >"$name/crash"
done
(cd one && begin --checkpoint --time 6h --segment-time 120m -g 2 -t a100 --single-node --name one "$PWD/app.sh" $last)
(cd wide && begin --checkpoint --time 6h --segment-time 120m -g 4 -t a100 --nodes 2 --name wide "$PWD/app.sh" $last)

# reaches NAME STEP: whoever looks at a run takes care of it, so both are looked at all the time.
reaches() {
  rv ps >/dev/null 2>&1
  has_lines "$1/steps.0" "$2"
}
lost=()
for name in one wide; do
  wait_real 250 reaches "$name" 75 || fail "$name stands still: $(rv show "$name"); $(squeue)"
  [ ! -e "$name/crash" ] || fail "$name did not crash"
  # On a slow machine this may be the moment between two segments.
  wait_real 60 pkill -KILL -o -f "$PWD/$name/app.sh $last" || fail "no process of $name to kill"
done
for name in one wide; do
  wait_real 250 reaches "$name" 150 || fail "$name stands still: $(rv show "$name"); $(squeue)"
  nodes=$(field "$name" "['chain']['segments'][-1]['nodes']")
  node=$(scontrol show hostnames "$nodes" | tail -n 1)
  lost+=("$node")
  "$sandbox" daemon power-off "slurmd.$node" --dir "$RV_SANDBOX_DIR"
  scontrol update nodename="$node" state=down reason=lost
  begun=$(segments "$name")
  next_begun() { has_segments "$1" $((begun + 1)); }
  wait_real 120 next_begun "$name" || fail "$name has no next segment: $(rv show "$name"); $(squeue)"
  "$sandbox" daemon start "slurmd.$node" --dir "$RV_SANDBOX_DIR"
  scontrol update nodename="$node" state=resume >/dev/null 2>&1 || true
done

for name in one wide; do
  both_over() { rv ps >/dev/null 2>&1 && over "$name"; }
  wait_real 600 both_over || fail "$name is not over: $(rv show "$name"); $(squeue)"
  equal "$name" "done" "$(field "$name" "['state']")"
  one_after_the_other "$name" || fail "$name: segments at once: $(rv show "$name")"
  # Where another node than the batch script's is lost, the script lives to say that it was terminated. If srun is starting the command
  # there at that moment, it fails: a third crash.
  [[ "$(reasons "$name")" =~ crashed.*(lost|terminated|crashed.+crashed).*finished$ ]] || fail "$name: segments: $(reasons "$name")"
  for steps in "$name"/steps.*; do
    all_steps "$steps" $last || fail "$steps: $(cut -d' ' -f1 "$steps" | tr '\n' ' ')"
    [ "$(lines_in "$steps")" -le $((last + 3)) ] || fail "$steps: $(lines_in "$steps") steps"
  done
  used=$(field "$name" "['chain']['used_s']")
  { [ "$used" -ge $((last * 60)) ] && [ "$used" -le 21600 ]; } || fail "$name used $used s"
done
equal "ranks of the wide one" 2 "$(find wide -name 'steps.*' | wc -l)"
[[ "$(field one "['chain']['segments'][-1]['nodes']")" != "${lost[0]}" ]] || fail "the last segment ran on the lost node"
