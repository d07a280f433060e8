#!/usr/bin/env bash
# What can be known to go wrong is refused before anything runs, naming the word.
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"

# refused PART WORDS…
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
refused "--over n=1,1: 1 stands there twice" --over n=1,1 -- python3 load.py '{n}'
refused "--over n: the name stands there twice" --over n=1 --over n=2 -- python3 load.py '{n}'
refused "there is no --over" -- python3 load.py
refused "the command is missing" --over n=1
refused "pyhton3: no such program" --over n=1 -- pyhton3 load.py '{n}'
refused "./train: no such program" --over n=1 -- ./train '{n}'
refused "laod.py: there is no such file" --over n=1 python3 laod.py '{n}'
refused "has no group" --over n=1 --metric 'a=loss [0-9]+' -- true '{n}'
refused "no regular expression" --over n=1 --metric 'a=(' -- true '{n}'
exits 2 "$RV" sweep --local --over n=1 --device tpu --report-dir r -- true '{n}'
contains "an unknown device" '--device: "tpu"' "$err"
refused "--stop-after never" --over n=1 --stop-after never -- true '{n}'
refused "--find-max: n x is no whole number" --over n=x --find-max -- true '{n}'
refused "several --over" --over n=1 --over m=1 --find-max -- true '{n}' '{m}'
exits 2 "$RV" sweep --local --over n=1 --every 0 --report-dir r -- true '{n}'
contains "no time between samples" "--every 0: a time of at least" "$err"
exits 2 "$RV" sweep --local --over n=1 --cooldown soon --report-dir r -- true '{n}'
contains "no time" "--cooldown soon" "$err"
refused "rv-sample is not there" --over n=1 --workers . -- true '{n}'

# No GPU, and none forgone.
exits 2 "$RV" sweep --local --over n=1 --report-dir gpu -- true '{n}'
contains "no GPU" "no GPU is to be seen on" "$err"
contains "the way out" "--device cpu" "$err"

# The report folder of another sweep, and a folder of other things.
exits 0 sweep --over n=1 --report-dir mine -- true '{n}'
exits 2 sweep --over n=1 --report-dir mine -- false '{n}'
contains "another sweep" "mine: the folder holds another sweep: true '{n}'" "$err"
mkdir things
touch things/a
exits 2 sweep --over n=1 --report-dir things -- true '{n}'
contains "other things" "things: the folder holds other things, and no sweep" "$err"
