#!/usr/bin/env bash
# Every check of the workers that needs real GPUs, in one go, on one GPU and on all; a table and an exit code.
# usage: gpu_checks.sh BUILD_FOLDER [REPORT_FOLDER]    (under five minutes; exits 1 if a check is not as expected)
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:?the build folder}")
reports=${2:-$(mktemp -d)}
mkdir -p "$reports"
reports=$(realpath "$reports")
workers=$build/workers
cd "$reports" || exit 3
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
if [ "$gpus" -eq 0 ]; then
  echo "gpu_checks.sh: nvidia-smi shows no GPU" >&2
  exit 77
fi
work=$reports
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
failed=0
# row NAME ASSERTION…: a line of the table. What is not so is shown below it, and the next row comes.
row() {
  local name=$1 verdict=ok begin
  shift
  begin=$(date +%s.%N)
  work=$reports/$name
  mkdir -p "$work"
  ("$@") >"$work/said" 2>&1 || verdict=NOT_OK failed=1
  printf '%-28s %-7s %6.1f s\n' "$name" "$verdict" "$(awk "BEGIN { print $(date +%s.%N) - $begin }")"
  [ "$verdict" = ok ] || tail -n 30 "$work/said" | sed 's/^/    /'
}
# check NAME SECONDS CODE[,CODE…] COMMAND…: ends with that code within these seconds; $reports/NAME/out and err are its words.
check() { row "$1" exits "$3" timeout --kill-after=10 "$2" "${@:4}"; }
# has NAME REGEX: the output of that check says so.
has() { (matches "$1" "$2" "$(<"$reports/$1/out")") 2>&1 || failed=1; }
# figures NAME [REGEX]: its measured lines, or those that match.
figures() { grep -E "${2:-GB/s|TFLOP/s| us | ms }" "$reports/$1/out" | sed 's/^/    /'; }

echo "$gpus GPUs, reports in $reports"

# Not available readings are skips; containers often hide some.
check health_before 30 0,77 "$workers/rv-health" --report-dir "$reports"
cp rv-health.*.jsonl before.jsonl 2>/dev/null

check compute_one 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --quick --report-dir "$reports"
figures compute_one
check compute_fp64 40 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite gemm --types fp64
figures compute_fp64
check compute_load 30 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite gemm --types bf16 --duration 5 --json
has compute_load '"load":\{"samples":[0-9]{2}'
check memory_one 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite memory --quick
has memory_one 'memory_test .* pass'
# Another program has the memory: 1.5 GiB are left, of which a process's own context takes a third.
mkfifo hold
"$build/tests/workers/memory_hog" 1536 <hold >hog.out 2>hog.err &
hog=$!
exec 9>hold
row memory_taken wait_for 10 grep -q holding hog.out
check out_of_memory 60 3 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite gemm,bandwidth
has out_of_memory 'gpu 0 GPU-[0-9a-f-]* copy: error, out_of_memory'
check collective_out_of_memory 60 77 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-collective" --local-ranks 1 \
  --suite sweep --ops all_reduce -b 1G -e 8G
has collective_out_of_memory 'skip, no_memory'
exec 9>&-
wait "$hog"
row memory_given_back equal "the exit code of who had it" 0 $?
rm hold
check no_gpu 20 77 env CUDA_VISIBLE_DEVICES= "$workers/rv-compute" --device cuda
check train_one 40 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --local-ranks 1
figures train_one
# A step of the models against the host's in double.
check network_check 120 0 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/network_check"
check model_one 120 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50 --batch-size 64 --deadline 90
figures model_one samples/s
check model_does_not_fit 60 3 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50 --batch-size 65536
has model_does_not_fit 'out_of_memory: a step needs [0-9]+ bytes of GPU memory, and [0-9]+ are free; --batch-size [0-9]+ fits'
# From one checkpoint on, the same bits whether it is stopped again or not.
model=(env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet18 --batch-size 16 --json --deadline 90)
rm -rf once twice
check model_begun 60 0 "${model[@]}" --steps 4 --checkpoint once
cp -r once twice
check model_once 60 0 "${model[@]}" --steps 12 --checkpoint once
check model_twice 60 0 "${model[@]}" --steps 8 --checkpoint twice
check model_thrice 60 0 "${model[@]}" --steps 12 --checkpoint twice
# shellcheck disable=SC2317 # called by row
# same_bits NAME OTHER: both checks say what their weights sum up to, and say the same.
same_bits() {
  local sums
  sums=$(grep -o '"checksum":"[0-9a-f]*"' "$reports/$1/out") || fail "$1 has no checksum"
  equal "the bits of $2, and of $1 without the stop" "$sums" "$(grep -o '"checksum":"[0-9a-f]*"' "$reports/$2/out")"
}
row model_resumed same_bits model_once model_thrice
# Where a step's time goes is said of every rank, adds up, and is measured by steps that leave no trace in what is learnt:
# the checkpoint was written before them.
# shellcheck disable=SC2317 # called by row
# sound RESULTS RANKS: shares, load and throttled seconds of that many ranks.
sound() {
  python3 - "$1" "$2" << 'END'
import json, sys
r = json.load(open(sys.argv[1]))
print(json.dumps({k: r[k] for k in ("shares_by_rank", "alone_step_seconds_by_rank", "average_step_time_seconds",
                                    "one_rank_samples_per_second", "scaling_efficiency", "throttled_seconds_by_rank")}))
assert len(r["shares_by_rank"]) == len(r["throttled_seconds_by_rank"]) == int(sys.argv[2])
for shares in r["shares_by_rank"]:
    assert abs(sum(shares.values()) - 1) < 1e-9 and shares["compute"] > 0.5 and min(shares.values()) >= 0, shares
assert r["load"] is None or len(r["load"]["throttled_s"]) == len(r["load"]["seconds"])
END
}
rm -rf parts_timed
timed=(env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50 --batch-size 64 --steps 40 --checkpoint parts_timed --json --deadline 90)
check model_parts 120 0 "${timed[@]}" --results model_parts.json
row model_parts_sound sound model_parts.json 1
check model_parts_saved 60 77 "${timed[@]}"
row model_parts_no_trace same_bits model_parts_saved model_parts
check collective_one 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-collective" --quick --local-ranks 1 --suite sweep

# The toy's training goes on where it was ended, bit for bit, also on a GPU.
rm -rf whole parts
check train_whole 40 0 "$workers/rv-train" --quick --checkpoint-dir whole --json
# One epoch alone cannot show a falling loss, which is a fail; its checkpoint is what is wanted.
check train_first_part 40 1 "$workers/rv-train" --epochs 1 --checkpoint-dir parts --json
check train_resumed 40 0 "$workers/rv-train" --quick --checkpoint-dir parts --json
row train_bits same_bits train_whole train_resumed

if [ "$gpus" -gt 1 ]; then
  check compute_all 90 0 "$workers/rv-compute" --quick --all-at-once --report-dir "$reports"
  figures compute_all
  check memory_all 60 0 "$workers/rv-compute" --suite memory --quick --all-at-once
  check collective_all 120 0 "$workers/rv-collective" --quick --report-dir "$reports"
  figures collective_all
  check all_reduce_large 60 0 "$workers/rv-collective" --suite sweep --ops all_reduce -b 128M -e 8G -f 4 --place out
  figures all_reduce_large
  check all_reduce_small 30 0 "$workers/rv-collective" --suite sweep --ops all_reduce -b 8 -e 8K -f 4 --place out -n 100
  figures all_reduce_small
  check types 60 0 "$workers/rv-collective" --suite sweep -b 1M -e 1M --types int8,int32,int64,fp16,bf16,fp32,fp64 \
    --samples 1
  check train_all 40 0 "$workers/rv-train"
  figures train_all
  check model_all 120 0 "$workers/rv-train" --model resnet50 --batch-size 64 --deadline 90
  figures model_all samples/s
  check model_scaling 180 0 "$workers/rv-train" --model transformer --scaling --results model_scaling.json --deadline 90
  row model_scaling_sound sound model_scaling.json "$gpus"
  figures model_scaling samples/s
  check model_slow 120 1 "$workers/rv-train" --model resnet18 --batch-size 128 --inject slow@1:50 --deadline 90
  has model_slow 'work per step: fail, slow at the same work: rank 1 '
  # Judged as an acceptance: the baselines are those of an H200, so another GPU is only compared with its equals.
  : > site.yaml
  check accept_models 600 0 env RV_HOME="$reports/home" RV_SITE="$reports/site.yaml" "$build/cli/rv" accept --local \
    --gpus-per-node "$gpus" --suite resnet18,resnet50,transformer --workers "$workers" --report-dir "$reports/accept_models"
  figures accept_models samples/s
  fault=(--quick --suite sweep --ops all_reduce -b 1M -e 1M --place out --deadline 30 --silence 5)
  check fault_never 60 3 "$workers/rv-collective" "${fault[@]}" --inject never@1
  has fault_never '1 of [0-9]+ ranks did not come .*: rank 1 '
  check fault_die 60 3 "$workers/rv-collective" "${fault[@]}" --inject die@1:6
  has fault_die 'rank 1 .* was killed by signal 9'
  check fault_hang 60 3 "$workers/rv-collective" "${fault[@]}" --inject hang@1:6
  has fault_hang 'rank 1 .* gives no sign of life'
  check fault_corrupt 60 1 "$workers/rv-collective" "${fault[@]}" --inject corrupt@1:1234
  has fault_corrupt 'rank 1 .*1 of 262144 elements are wrong, the first at index 1234'
  check fault_nan 60 1 "$workers/rv-collective" "${fault[@]}" --inject nan@0:7
  has fault_nan 'rank 0 .*index 7: expected .*nan'
  check fault_slow 60 1 "$workers/rv-collective" --quick --suite straggler --inject slow@1:50
  has fault_slow 'slow at the same work: rank 1 '
  row nothing_left equal "processes left" "" "$(pgrep -f "$workers/rv-")"
fi

check health_after 30 0,1,77 "$workers/rv-health" --before before.jsonl
figures health_after ': (fail|error)|fail:|error:'
echo "reports: $reports"
exit "$failed"
