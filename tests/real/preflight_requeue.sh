#!/usr/bin/env bash
# --preflight with --requeue: a job that is requeued during its test is tested again, and the command runs once. A test that fails on a
# node that Slurm has given up in the meantime does not end the run.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/../faults/lib.sh"

[ -d "${RV_STAND_IN_NVML:-}" ] || fail "RV_STAND_IN_NVML is not the folder of the stand-in for the driver's library: ctest sets it"
built=$(cd "$(dirname "$RV")/../workers" && pwd)
export LD_LIBRARY_PATH=$RV_STAND_IN_NVML STAND_IN_GPUS=1

# The readings of a run's first start wait for the file go-on, and then find a process of another job.
mkdir "$work/workers"
printf '0 4242 9000\n' >"$work/processes"
cat >"$work/workers/rv-health" <<END
#!/bin/bash
first=$work/first.\$RV_RUN_ID
if mkdir "\$first" 2>/dev/null; then
  echo "\$SLURMD_NODENAME" >"\$first/node"
  until [ -e "\$first/go-on" ]; do sleep 0.1; done
  export STAND_IN_PROCESSES=$work/processes
fi
exec "$built/rv-health" "\$@"
END
cat >"$work/workers/rv-compute" <<END
#!/bin/bash
set -- "\${@/#cuda/cpu}"
set -- "\${@/#bandwidth/gemm}"
exec "$built/rv-compute" "\${@/#link/gemm}" --types fp32 --size 64
END
chmod +x "$work"/workers/*
mkdir -p "$RV_HOME"
echo "workers: $work/workers" >"$RV_HOME/config.yaml"

# start NAME CODE: a run whose first start waits in its preflight. Sets job, node and first.
start() {
  exits 0 rv run -g 1 -t a100_40 --requeue --time 5m --preflight --name "$1" "echo x >>$1; exit $2"
  first=$work/first.$(field "$1" "['id']")
  wait_for 30 has_lines "$first/node" 1 || fail "does not start: $(rv show "$1")"
  node=$(<"$first/node") job=$(job_of "$1")
}
restarts() { [[ "$(scontrol -o show job "$job")" == *" Restarts=$1 "* ]]; }
# Slurm holds a requeued job back for two minutes. In the second in which it ended its node would take the new start for the old one.
release() {
  sleep 2
  wait_for 30 pending || fail "not requeued: $(scontrol show job "$job")"
}
pending() { [ "$(squeue -h -j "$job" -o %T)" = PENDING ] && scontrol update jobid="$job" starttime=now; }
journal() { cat "$(field "$1" "['run_folder']")/jobs/$job".*.jsonl; }
ends_as() {
  wait_for 60 over "$1" || fail "not over: $(rv show "$1")"
  equal "$1: state and exit code" "failed $2" "$(field "$1" "['state']") $(field "$1" "['exit_code']")"
  equal "$1: executions" 1 "$(lines_in "$1")"
  equal "$1: job of the start" "$job" "$(entries start "$1" | cut -d' ' -f4)"
  equal "$1: exit" "$job exited $2" "$(entries exit "$1" | cut -d' ' -f4,6,7)"
  equal "$1: retries" "" "$(entries retry "$1")"
  equal "$1: verdict" "pass" "$(field "$1" "['preflight']['verdict']")"
}

start requeued 7
scontrol requeue "$job"
release
ends_as requeued 7
[ -d "$(field requeued "['run_folder']")/preflight/$job.1" ] || fail "the second start was not tested"

# Only the node's daemon stands still, so the job's script does not end with the node.
start lost 6
kill -STOP "$(pid_of_slurmd "$node")"
give_up "$node"
wait_for 8 restarts 1 || fail "not requeued: $(scontrol show job "$job")"
touch "$first/go-on"
yielded() { journal lost | grep -q '"event":"yielded"'; }
wait_for 20 yielded || fail "the first start does not step back: $(journal lost)"
contains "the first start's verdict" '"verdict":"fail"' "$(journal lost)"
release
ends_as lost 6
