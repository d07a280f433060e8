#!/usr/bin/env bash
# What rv stress refuses before anything starts: two lines, an exit code of its own, nothing left behind.
# shellcheck source=tests/stress/lib.sh
source "$(dirname "$0")/lib.sh"

# refused CODE MESSAGE ADVICE WORDS…
refused() {
  exits "$1" "${@:4}"
  contains "the message" "rv: error: $2" "$err"
  contains "the way out" "$3" "$err"
  equal "lines" 2 "$(wc -l <"$work/err")"
  [ ! -e "$RV_HOME/stress" ] || fail "left behind: $(find "$RV_HOME/stress")"
}

refused 4 "2 workers on the host need 6597069766656 bytes, and " "fits, or ask for fewer --workers" stress --memory 1T
printf '#!/bin/sh\n' >launch.sh
refused 126 "--launch: ./launch.sh can't be executed" "chmod +x" stress --launch ./launch.sh
refused 126 "--launch: ./launch.sh can't be executed" "chmod +x" stress --launch './launch.sh --gpus all'
refused 127 "--launch: ./lunch.sh: no such program" "check the spelling" stress --launch './lunch.sh --gpus all'
refused 127 "--launch: no-such-launcher: no such program" "check the spelling" stress --launch no-such-launcher
refused 2 "--subset 0,2: there is no GPU 0, 0 are given" "from 0 on" stress --launch true --subset 0,2
refused 2 "nothing is left to do" "--launch" stress --skip-stress
refused 2 "--subset is of the launcher" "--launch" stress --subset 0
refused 2 '--device: "tpu" is none of gpu and cpu' "--device cpu" "$RV" stress --local --device tpu
refused 2 '--min-success: "101" is not a whole number from 0 to 100' "write it like" stress --min-success 101
refused 2 '--max-imbalance "0.5": a number from 1 on' "1.5" stress --max-imbalance 0.5
