#!/usr/bin/env bash
# A plan counts GPUs held by jobs of a lower PriorityTier as available to a partition that may preempt them, and the run starts
# as planned.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# What other tests' short jobs tell of the filler's end is not meant here.
count_as_asked

filler=$(sbatch --parsable -J filler -p scavenge -N 4 --gres=gpu:2 --mem=1G -t 2:00:00 -o /dev/null --wrap 'sleep 600')
is_running() { [ "$(squeue -h -j "$filler" -o %T)" = RUNNING ]; }
wait_for 20 is_running || fail "the cluster is not full"
# median PARTITION: predicted wait in seconds, of the first strategy.
median() {
  rv plan -g 2 --time 5m --partition "$1" --json |
    python3 -c "import json,sys; print(json.load(sys.stdin)['strategies'][0]['wait']['p50_s'])"
}
[ "$(median scavenge)" -ge 3600 ] || fail "scavenge: $(median scavenge) s although it is full"
[ "$(median spot)" -ge 3600 ] || fail "spot preempts nobody, but: $(median spot) s"
[ "$(median urgent)" -le 60 ] || fail "urgent: $(median urgent) s although it preempts"
[ "$(median gpu)" -le 60 ] || fail "gpu: $(median gpu) s although it preempts"
began=$SECONDS
equal "what ran" started "$(rv run -g 2 --time 5m --partition urgent -f echo started 2>"$work/err")"
took=$((SECONDS - began))
[ "$took" -le 60 ] || fail "predicted within a minute, took $took s"
