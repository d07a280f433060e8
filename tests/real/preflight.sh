#!/usr/bin/env bash
# --preflight: a node that fails its test gets no command, which runs once on another; a test that hangs, or can't be run, delays the
# command and does not prevent it.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

[ -d "${RV_STAND_IN_NVML:-}" ] || fail "RV_STAND_IN_NVML is not the folder of the stand-in for the driver's library: ctest sets it"
built=$(cd "$(dirname "$RV")/../workers" && pwd)
export LD_LIBRARY_PATH=$RV_STAND_IN_NVML STAND_IN_GPUS=2

# The real workers, on the processor. On the nodes of the file "liars" a process of another job is left on GPU 0, and on those of
# "hanging" the readings never come.
mkdir "$work/workers"
printf '0 4242 9000\n' >"$work/processes"
: >"$work/liars"
: >"$work/hanging"
cat >"$work/workers/rv-health" <<END
#!/bin/bash
! grep -qxF -- "\$SLURMD_NODENAME" "$work/hanging" || exec sleep 1000
! grep -qxF -- "\$SLURMD_NODENAME" "$work/liars" || export STAND_IN_PROCESSES=$work/processes
exec "$built/rv-health" "\$@"
END
# A processor has no link to measure, and all nodes share this machine's: small products and messages stand for the bandwidths.
cat >"$work/workers/rv-compute" <<END
#!/bin/bash
set -- "\${@/#cuda/cpu}"
set -- "\${@/#bandwidth/gemm}"
exec "$built/rv-compute" "\${@/#link/gemm}" --types fp32 --size 64
END
cat >"$work/workers/rv-collective" <<END
#!/bin/bash
set -- "\${@/#cuda/cpu}"
exec "$built/rv-collective" "\${@/#128M/256K}"
END
chmod +x "$work"/workers/*
use_workers() { mkdir -p "$RV_HOME" && echo "workers: $1" >"$RV_HOME/config.yaml"; }
use_workers "$work/workers"
folder_of() { field "$1" "['run_folder']"; }

# All is well, on one node.
exits 0 rv run -f -g 2 -t a40 --time 5m --preflight --name good 'echo x >>good; echo output'
contains "the line for the user" "rv: preflight passed in " "$err"
contains "output" output "$out"
equal "executions" 1 "$(lines_in good)"
equal "verdict" pass "$(field good "['preflight']['verdict']")"
contains "rv show" "tested   preflight passed in " "$(rv show good)"
echo "seconds of the gate on one node: $(field good "['preflight']['seconds']")"

# And on two, whose ranks meet in one ring.
exits 0 rv run -f -g 4 --nodes 2 -t a40 --time 5m --preflight --name two 'echo x >>two'
equal "executions" 2 "$(lines_in two)"
equal "verdict" pass "$(field two "['preflight']['verdict']")"
equal "nodes that were tested" 2 "$(find "$(folder_of two)"/preflight/*/reports -mindepth 1 -maxdepth 1 | wc -l)"
echo "seconds of the gate on two nodes: $(field two "['preflight']['seconds']")"

# A node that lies: the command runs once, on another one, with what rv env holds.
echo udc-an34-1 >"$work/liars"
printf 's3same\n' | rv env set SECRET 2>/dev/null
exits 0 rv run -f -g 1 -t a100_40 --time 5m --preflight --name liar 'echo "$SLURMD_NODENAME $SECRET" >>liar'
contains "the line for the user" "rv: preflight failed after " "$err"
exits 0 rv env rm SECRET
equal "where it ran" "udc-an34-2 s3same" "$(cat liar)"
contains "why" "udc-an34-1" "$(field liar "['retries']['why']")"
equal "verdict of the last" pass "$(field liar "['preflight']['verdict']")"
contains "story" '"verdict":"fail"' "$(cat "$(folder_of liar)"/jobs/*.jsonl)"
[ -z "$(find "$RV_HOME/runs" -name environment)" ] || fail "the secret is still in the run's folder"
contains "memory of nodes" udc-an34-1 "$(rv nodes)"
contains "its cause" "the preflight failed" "$(rv nodes)"
contains "its evidence" "preflight: " "$(rv nodes udc-an34-1)"
exits 0 rv nodes --forget udc-an34-1

# Of two nodes only the one that fails is left out. The cluster has only two of this type.
echo udc-an33-2 >"$work/liars"
exits 1 rv run -f -g 2 --nodes 2 -t a40 --time 5m --preflight --name pair 'echo x >>pair'
[ ! -e pair ] || fail "the command started: $(rv show pair)"
contains "left out" '"exclude":["udc-an33-2"]' "$(cat "$(folder_of pair)/events.jsonl")"
contains "detail" "it could not be started again" "$(field pair "['detail']")"

# Every node lies: the command never starts, and after three tries rv gives up.
sinfo -h -N -o %N >"$work/liars"
exits 1 rv run -f -g 1 --time 5m --preflight --name never 'echo x >>never'
[ ! -e never ] || fail "the command started: $(rv show never)"
equal "state and exit code" "failed 1" "$(field never "['state']") $(field never "['exit_code']")"
contains "detail" "the preflight failed, so the command did not start" "$(field never "['detail']")"
equal "tries" 3 "$(cat "$(folder_of never)"/jobs/*.jsonl | grep -c '"verdict":"fail"')"
cause_of() { rv why "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["cause"])'; }
equal "cause" preflight "$(cause_of never)"
equal "cause where no node was left" preflight "$(cause_of pair)"

# A hold, and a checkpointed run.
echo udc-an34-1 >"$work/liars"
rm -r "$RV_HOME/node-events"
exits 0 rv up --detach -g 1 -t a100_40 --time 5m --preflight --name held
holds() { [ "$(field held "['state']")" = holding ]; }
wait_for 60 holds || fail "no hold: $(rv show held)"
equal "where it is" udc-an34-2 "$(field held "['nodes']")"
exits 0 rv stop held
exits 0 rv run -f -g 1 -t a100_40 --checkpoint --time 10m --segment-time 5m --preflight --name chain \
  'echo "$SLURMD_NODENAME" >>chain; echo s >>"$RV_CHECKPOINT_DIR/state"'
equal "where it ran" udc-an34-2 "$(cat chain)"

# The setting tests runs with several GPUs, and no command inside a run.
: >"$work/liars"
echo "preflight: true" >>"$RV_HOME/config.yaml"
tested() { [ "$(field "$1" "['preflight']")" != None ]; }
exits 0 rv run -f -g 2 -t a40 --time 5m --name usual true
tested usual || fail "not tested: $(rv show usual)"
exits 0 rv run -f -g 2 -t a40 --time 5m --no-preflight --name untested true
! tested untested || fail "tested: $(rv show untested)"
exits 0 rv up --detach -g 2 -t a40 --time 5m --no-preflight --name host
host_holds() { [ "$(field host "['state']")" = holding ]; }
wait_for 60 host_holds || fail "no hold: $(rv show host)"
exits 0 rv run -f --in host -g 2 --name inside true
! tested inside || fail "tested: $(rv show inside)"
exits 0 rv stop host
use_workers "$work/workers"

# Readings that hang: the command starts within 20 seconds, with a warning.
: >"$work/liars"
echo udc-an34-1 >"$work/hanging"
exits 0 rv run -f -g 1 -t a100_40 -w udc-an34-1 --time 5m --preflight --name slow 'echo x >>slow'
equal "executions" 1 "$(lines_in slow)"
contains "warning" "rv: warning: preflight incomplete after " "$err"
equal "verdict" unknown "$(field slow "['preflight']['verdict']")"
python3 -c 'import sys; sys.exit(not float(sys.argv[1]) <= 20.5)' "$(field slow "['preflight']['seconds']")" ||
  fail "it took $(field slow "['preflight']['seconds']") s"
echo "seconds of the gate where the readings hang: $(field slow "['preflight']['seconds']")"

# Of two nodes one hangs; the command's own step starts nevertheless.
for i in $(seq 20); do printf 'udc-an33-%s\n' "$i"; done >"$work/hanging"
exits 0 rv run -f -g 2 --nodes 2 -t a40 --time 5m --preflight --name slow_pair 'echo x >>slow_pair'
equal "executions" 2 "$(lines_in slow_pair)"
equal "verdict" unknown "$(field slow_pair "['preflight']['verdict']")"

# No workers, no driver.
: >"$work/hanging"
mkdir "$work/empty"
use_workers "$work/empty"
exits 0 rv run -f -g 1 -t a40 --time 5m --preflight --name without 'echo x >>without'
contains "at the submission" "--preflight needs rv's workers" "$err"
contains "the reason" "rv-health is missing" "$(rv show without)"
equal "executions" 1 "$(lines_in without)"
use_workers "$work/workers"
exits 0 env STAND_IN_GPUS=0 "$RV" run -f -g 1 -t a40 --time 5m --preflight --name driverless 'echo x >>driverless'
equal "verdict" unknown "$(field driverless "['preflight']['verdict']")"
equal "executions" 1 "$(lines_in driverless)"

# Where it makes no sense.
exits 2 rv run -g 0 --preflight true
contains "no GPUs" "--preflight tests GPUs" "$err"
exits 2 rv run -g 1 --array 0-3 --preflight true
contains "arrays" "--preflight and --array can't be combined" "$err"
