#!/usr/bin/env bash
# In a partition of whole nodes, which Slurm 26.05 prints as Exclusive=NODE, rv does not count a node with a job on it as free.
# shellcheck source=tests/releases/lib.sh
source "$(dirname "$0")/lib.sh"

starts_now() { [ "$(rv plan -g 1 --partition "$1" --time 5m --json | python3 -c "
import json, sys
print(json.load(sys.stdin)['strategies'][0]['wait']['basis'])")" = "free now" ]; }
starts_now whole || fail "an idle node is not free: $(scontrol -o show partition whole)"
job=$(sbatch --parsable -p part --gres=gpu:1 --mem=1G -t 20 -o /dev/null --wrap 'sleep 100')
wait_for 20 job_runs "$job" || fail "Slurm says $(squeue -h -j "$job")"
starts_now part || fail "three GPUs are free in a shared partition"
! starts_now whole || fail "a node in use is free: $(scontrol -o show partition whole)"
own=$(sbatch --parsable -p whole --gres=gpu:1 --mem=1G -t 5 -o /dev/null --wrap true)
sleep 5 # longer than Slurm takes to start a job that may start
equal "Slurm's own start" PENDING "$(job_state "$own")"
