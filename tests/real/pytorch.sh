#!/usr/bin/env bash
# examples/pytorch works as its page shows: the environment is built once, and each script runs on the GPUs that it requests.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"
bash "$root/tests/project/stand_ins/pytorch_project.sh" .
# finished ARGUMENTS…: rv run with these; $out is the script's output.
finished() {
  exits 0 rv run "$@"
  said=$err
  exits 0 rv wait "$out"
  exits 0 rv logs
}

# Jobs that write to a full home folder fail, so it is reported before they wait.
echo "quota_command: echo home 97G of 100G" >>"$RV_SITE"
finished check.py --mig --time 10m
equal "the quota, once" "rv: note: a quota is nearly full: home 97G of 100G" "$(grep quota <<<"$said")"
contains "what runs" "rv: runs python3 check.py" "$said"
contains "made first" "the environment is ready after" "$said"
matches "its package, and one slice" 'torch 2.10.0.standin on CUDA_VISIBLE_DEVICES=[0-9]+' "$out"
contains "on scratch" "models are kept in $work/scratch" "$out"

finished serve.py --type a6000 --time 30m --mem 32G
equal "the quota, where nothing is made" 1 "$(grep -c quota <<<"$said")"
contains "the environment" "rv: environment $work/scratch/environments/" "$said"
equal "answers" 3 "$(grep -c ' an answer$' <<<"$out")"
equal "its caches are on scratch" 1 "$(find "$work/scratch" -name compiled | wc -l)"

for script in train.py train_fsdp.py; do
  exits 0 rv up --gpu 4 --time 30m --run "torchrun --nproc_per_node=4 $script"
  lacks "what is there is not made again" "the environment is ready after" "$err"
  lacks "of several nodes, for one" "nodes each would" "$err"
  equal "$script: losses" "$([ "$script" = train.py ] && echo 5 || echo 10)" "$(grep -c ' loss [0-9]' <<<"$out")"
  # Ranks write to one file at the same time, and unbuffered Python writes a text and its end of line apart: a line may hold two.
  [ "$script" != train.py ] || equal "its ranks" "0 1 2 3" "$(grep -o 'rank [0-9] of 4 on cuda:' <<<"$out" | cut -d ' ' -f 2 | sort | xargs)"
done
[ "$(find "$work" -name model.pt | wc -l)" -eq 1 ] || fail "there is no checkpoint"

finished dataload.py --mig --time 10m
equal "each number of workers" 3 "$(grep -c '^workers [012]: 64 batches' <<<"$out")"
contains "a pool of processes" "sum of squares 328350" "$out"
contains "threads as CPUs" "OMP_NUM_THREADS 1" "$out"
