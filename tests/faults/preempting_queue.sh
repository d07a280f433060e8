#!/usr/bin/env bash
# A plan expects that a waiting job of a higher PriorityTier will preempt running jobs, and the run starts as planned.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# What other tests' short jobs tell of the filler's end is not meant here.
count_as_asked

state_of() { squeue -h -j "$1" -o %T 2>/dev/null; }
is_running() { [ "$(state_of "$1")" = RUNNING ]; }
# 'spot' jobs are cancelled: the filler leaves long before its limit.
filler=$(sbatch --parsable -J filler -p spot -N 4 --gres=gpu:2 --mem=1G -t 30:00 -o /dev/null --wrap 'sleep 1800')
wait_for 20 is_running "$filler" || fail "the cluster is not full"
urgent=$(sbatch --parsable -J urgent -p urgent -N 4 --gres=gpu:2 --mem=1G -t 1 -b now+20 -o /dev/null --wrap 'sleep 55')
predicted=$(rv plan -g 2 --time 5m --partition spot --json |
  python3 -c "import json,sys; print(json.load(sys.stdin)['strategies'][0]['wait']['p50_s'])")
# The 20 s and the job's minute, and how long Slurm needs to see each.
[ "$predicted" -ge 60 ] || fail "predicted $predicted s: the job that waits takes the nodes for a minute"
[ "$predicted" -le 180 ] || fail "predicted $predicted s: the job that waits ends the filler"
began=$SECONDS
equal "what ran" started "$(rv run -g 2 --time 5m --partition spot -f echo started 2>"$work/err")"
took=$((SECONDS - began))
[ -z "$(state_of "$filler")" ] || fail "the filler was not cancelled: $(state_of "$filler")"
[ -z "$(state_of "$urgent")" ] || fail "started before job $urgent was over: $(state_of "$urgent")"
apart=$((took > predicted ? took - predicted : predicted - took))
[ "$apart" -le 60 ] || fail "predicted $predicted s, took $took s"
echo "predicted $predicted s, took $took s"
