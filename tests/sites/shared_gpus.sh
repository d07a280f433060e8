#!/usr/bin/env bash
# Shards and MPS: a GPU of which a part is in use is not offered as a whole GPU, and the other GPUs are.
# shellcheck disable=SC2016 # the jobs' own variables
# shellcheck source=tests/sites/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 rv cluster
equal "a100" "1 2 2 0 0" "$(row a100 | cut -d' ' -f1-5)"
occupied -p parts --gres=shard:3
occupied -p parts --gres=mps:50
exits 0 rv cluster
equal "a100 with shards in use" "1 2 1 1 0" "$(row a100 | cut -d' ' -f1-5)"
equal "v100 with a share in use" "1 2 1 1 0" "$(row v100 | cut -d' ' -f1-5)"

for type in a100 v100; do
  lacks "wait for both $type" "free now" "$(rv plan -g 2 -t "$type" --cpus 2 --mem 2G --time 10m --json | wait_of)"
  exits 0 rv run -f -g 1 -t "$type" --cpus 1 --mem 1G --time 10m 'echo "$SLURM_JOB_PARTITION"'
  equal "the other $type" "parts" "$out"
done
submitted -p parts --gres=gpu:a100:2
waits_for_both() { [ "$(squeue -h -j "$job" -o %r)" = Resources ]; }
wait_for 20 waits_for_both || fail "Slurm gives both: $(squeue -h -j "$job")"
