#!/usr/bin/env bash
# A sweep that can't work is rejected before any point runs, with a message that names the argument.
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"

# refused PART ARGUMENTS…
refused() {
  local part=$1
  shift
  exits 2 sweep --report-dir r "$@"
  contains "the refusal" "$part" "$err"
  [ ! -e r ] || fail "something was begun"
}
refused "{batch}: no --over has this name" --over n=1,2 -- python3 load.py '{n}' '{batch}'
refused "--over n: the command has no {n}" --over n=1,2 -- python3 load.py
refused "--over n=: n has no values" --over n= -- python3 load.py '{n}'
refused "--over n=1,1: 1 is given twice" --over n=1,1 -- python3 load.py '{n}'
refused "--over n: duplicate name" --over n=1 --over n=2 -- python3 load.py '{n}'
refused "rv sweep needs --over" -- python3 load.py
refused "the command to measure is missing" --over n=1
refused "pyhton3: no such program" --over n=1 -- pyhton3 load.py '{n}'
refused "./train: no such program" --over n=1 -- ./train '{n}'
refused "laod.py does not exist in" --over n=1 python3 laod.py '{n}'
refused "the expression needs a group" --over n=1 --metric 'a=loss [0-9]+' -- true '{n}'
refused "invalid regular expression" --over n=1 --metric 'a=(' -- true '{n}'
exits 2 "$RV" sweep --local --over n=1 --device tpu --report-dir r -- true '{n}'
contains "an unknown device" '--device "tpu": expected gpu or cpu' "$err"
refused '--stop-after "never": expected oom' --over n=1 --stop-after never -- true '{n}'
refused "--find-max: n x is not a whole number" --over n=x --find-max -- true '{n}'
refused "--find-max needs exactly one --over" --over n=1 --over m=1 --find-max -- true '{n}' '{m}'
exits 2 "$RV" sweep --local --over n=1 --every 0 --report-dir r -- true '{n}'
contains "no time between samples" '--every "0": expected a time from' "$err"
exits 2 "$RV" sweep --local --over n=1 --cooldown soon --report-dir r -- true '{n}'
contains "no time" '--cooldown "soon"' "$err"
refused "rv-sample is missing" --over n=1 --worker-folder . -- true '{n}'

# No GPU, and none forgone.
exits 2 "$RV" sweep --local --over n=1 --report-dir gpu -- true '{n}'
contains "no GPU" "no GPU was found on" "$err"
contains "the way out" "--device cpu" "$err"
# Such a refusal claims no folder: the corrected command runs there.
[ ! -e gpu ] || fail "the refused sweep left $(ls -A gpu)"
exits 0 sweep --over n=1 --report-dir gpu -- true '{n}'
# So does a program that can't be started at the first point; a folder with results stays as it is.
printf '#!/no/such/interpreter\n' >broken
chmod +x broken
exits 2 sweep --over n=1 --report-dir broken.d -- ./broken '{n}'
[ ! -e broken.d ] || fail "the sweep that could not start left $(ls -A broken.d)"
exits 2 "$RV" sweep --local --over n=1 --report-dir gpu -- true '{n}'
[ -s gpu/results.json ] || fail "a refusal removed the results of a sweep that had run"

# The report folder of another sweep, and a folder of other things.
exits 0 sweep --over n=1 --report-dir mine -- true '{n}'
exits 2 sweep --over n=1 --report-dir mine -- false '{n}'
contains "another sweep" "mine: the folder holds another sweep: true '{n}'" "$err"
mkdir things
touch things/a
exits 2 sweep --over n=1 --report-dir things -- true '{n}'
contains "other things" "things: the folder contains other files, and no sweep" "$err"

# Pods.
exits 2 sweep --kubernetes --over n=1 -- true '{n}'
contains "pods" "--kubernetes: only rv accept runs in pods" "$err"
contains "pods, the way out" "in a pod with GPUs, use --local" "$err"
