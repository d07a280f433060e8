#!/usr/bin/env bash
# rv stress rejects invalid requests before anything starts, with two lines and its own exit code, and leaves nothing.
# shellcheck source=tests/stress/lib.sh
source "$(dirname "$0")/lib.sh"

# refused CODE MESSAGE ADVICE ARGUMENTS…
refused() {
  exits "$1" "${@:4}"
  contains "the message" "rv: error: $2" "$err"
  contains "the way out" "$3" "$err"
  equal "lines" 2 "$(wc -l <"$work/err")"
  [ ! -e "$RV_HOME/stress" ] || fail "left behind: $(find "$RV_HOME/stress")"
}

refused 4 "2 workers on the host need 6597069766656 bytes, but " "fits, or ask for fewer --workers" stress --memory 1T
printf '#!/bin/sh\n' >launch.sh
refused 126 "--launch: ./launch.sh can't be executed" "chmod +x" stress --launch ./launch.sh
refused 126 "--launch: ./launch.sh can't be executed" "chmod +x" stress --launch './launch.sh --gpus all'
refused 127 "--launch: ./lunch.sh: no such program" "check the spelling" stress --launch './lunch.sh --gpus all'
refused 127 "--launch: no-such-launcher: no such program" "check the spelling" stress --launch no-such-launcher
# A line that is a single command; other lines are left to the shell's own errors.
refused 127 "--launch: no-such-launcher: no such program" "check the spelling" stress --launch 'no-such-launcher --gpus all'
refused 127 "--launch: no-such-launcher: no such program" "check the spelling" stress --launch "no-such-launcher 'a b'"
exits 0 stress --skip-stress --launch 'ulimit -n 64' --cleanup
exits 0 stress --skip-stress --launch 'no-such-launcher || true' --cleanup
refused 2 "--launch: the command is empty" "--launch 'python train.py'" stress --launch ' '
printf '#!/no/such/shell -e\n' >interpreted.sh
chmod +x interpreted.sh
refused 126 "--launch: ./interpreted.sh names an interpreter that does not exist: /no/such/shell" "its first line" stress --launch ./interpreted.sh
refused 126 "--launch: ./interpreted.sh names an interpreter that does not exist: /no/such/shell" "its first line" stress --launch './interpreted.sh --x'
printf '#!/bin/sh\r\n' >interpreted.sh
refused 126 "--launch: ./interpreted.sh names an interpreter that does not exist: /bin/sh?" "Windows line endings" stress --launch ./interpreted.sh
refused 2 "--subset 0,2: GPU 0 does not exist; there are 0" "from 0" stress --launch true --subset 0,2
refused 2 "--skip-stress needs --launch" "--launch" stress --skip-stress
refused 2 "--subset needs --launch" "--launch" stress --subset 0
refused 2 '--device "tpu": expected gpu or cpu' "--device cpu" "$RV" stress --local --device tpu
refused 2 '--min-success "101": expected a whole number from 0 to 100' "--min-success 80 requires that 80 % of the workers succeed" stress --min-success 101
refused 2 '--max-imbalance "0.5": expected a number of at least 1' "1.5" stress --max-imbalance 0.5
refused 2 "/nowhere: rv-stress is missing" "(--worker-folder, or workers" stress --worker-folder /nowhere
refused 2 "--kubernetes: only rv accept runs in pods" "use --local" stress --kubernetes
refused 2 "--local and --detach can't be combined" "tmux" stress --detach
refused 2 "--local and --gpu can't be combined" "CUDA_VISIBLE_DEVICES" stress -g 1
refused 2 "--local and --nodes can't be combined" "--hosts" stress --nodes 2
refused 2 "--local and --partition can't be combined" "remove --local" stress --partition gpu

# CI gets a report with that error.
refused 4 "" "" stress --memory 1T --junit junit.xml
contains "JUnit" '<error message="2 workers on the host need' "$(<junit.xml)"
refused 126 "" "" stress --launch ./launch.sh --junit junit.xml
contains "JUnit" '<error message="--launch: ./launch.sh can'"'t be executed\"" "$(<junit.xml)"
