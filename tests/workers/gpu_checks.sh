#!/usr/bin/env bash
# Every check of the workers that needs real GPUs, in one go, on one GPU and on all; a table and an exit code.
# usage: gpu_checks.sh BUILD_FOLDER [REPORT_FOLDER]    (some ten minutes; exits 1 if a check is not as expected)
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
check network_check 180 0 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/network_check"
# rv's own kernels of attention, which are for one architecture, against the host's; beside cuDNN's.
check attention_check 60 0,77 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/attention_check"
figures attention_check 'forward|NOT OK'
check products_check 60 0,77 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/products_check"
figures products_check 'TFLOP/s|NOT OK'
check model_one 120 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50 --batch-size 64 --deadline 90
figures model_one samples/s
# ImageNet's images as the GPU draws them, beside the host's; where nvJPEG can't be had, that is said and the host draws.
check pictures_check 240 0,77 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/pictures_check"
figures pictures_check 'images/s|nvJPEG|NOT OK'
row jpegs_made "$build/tests/workers/pictures_check" make jpegs 256
images=(env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet18 --precision fp32 --batch-size 32 --num-classes 2 --steps 16
  --learning-rate 0.003 --data-mode imagenet --data-dir jpegs --deadline 90)
check images_host 120 0 "${images[@]}" --decoder host --results images_host.json
check images_auto 120 0 "${images[@]}" --results images_auto.json
# shellcheck disable=SC2317 # called by row
# images_alike RESULTS OF_HOST: the same losses whoever decodes, up to what decoders round otherwise.
images_alike() {
  python3 - "$@" << 'END'
import json, sys
auto, host = (json.load(open(path)) for path in sys.argv[1:])
print(auto["reader"], host["reader"], auto["losses"], host["losses"], auto["shares"], host["shares"])
assert host["reader"]["decoder"] == "libjpeg-turbo" and host["reader"]["images_by_nvjpeg"] == 0
assert abs(auto["losses"][0] - host["losses"][0]) < 0.01 * host["losses"][0] and auto["losses"][-1] < auto["losses"][0]
assert auto["reader"]["decoder"] == "libjpeg-turbo" or auto["reader"]["images_by_nvjpeg"] > 0 == auto["reader"]["images_by_host"]
END
}
row images_alike images_alike images_auto.json images_host.json
row jpeg_cut_off truncate -s 40000 jpegs/n01440764/ILSVRC2012_val_00000008.JPEG
check images_cut_off 120 3 "${images[@]}"
has images_cut_off 'ILSVRC2012_val_00000008.JPEG is damaged or cut off'
# A batch that does not fit ends with a code of its own and names one that does; that one trains, and leaves little unused.
# shellcheck disable=SC2317 # called by row
# nearly_full RESULTS: each rank took nine tenths of its GPU or more.
nearly_full() {
  python3 - "$1" "$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)" << 'END'
import json, sys
r = json.load(open(sys.argv[1]))
total = int(sys.argv[2]) << 20
print({k: r[k] for k in ("batch_size_per_gpu", "peak_memory_bytes_by_rank", "peak_memory_source", "allocated_gpu_memory_bytes")}, total)
assert all(0.9 * total < taken <= total for taken in r["peak_memory_bytes_by_rank"]), "not nearly full"
END
}
# fitting NAME WORDS…: rows of rv-train with these words, with a batch that is too large and with the one it proposes.
fitting() {
  local name=$1 batch
  shift
  check "${name}_does_not_fit" 90 4 "$@" --batch-size 65536
  row "${name}_says" matches "two lines" \
    'rv-train: error: out_of_memory: .*a step of --batch-size 65536 needs [0-9]+ bytes of GPU memory, but [0-9]+ are free.hint: --batch-size [0-9]+ fits' \
    "$(tr '\n' ' ' < "${name}_does_not_fit/err")"
  batch=$(sed -n 's/^hint: --batch-size \([0-9]*\) fits$/\1/p' "${name}_does_not_fit/err")
  check "${name}_fits" 300 0 "$@" --batch-size "${batch:-nothing_proposed}" --steps 3 --results "$name.json" --deadline 200
  row "${name}_full" nearly_full "$name.json"
}
fitting resnet50 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50
fitting transformer env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model transformer
# shellcheck disable=SC2317 # called by row
# same_bits NAME OTHER: both checks say what their weights sum up to, and say the same.
same_bits() {
  local sums
  sums=$(grep -o '"checksum":"[0-9a-f]*"' "$reports/$1/out") || fail "$1 has no checksum"
  equal "the bits of $2, and of $1 without the stop" "$sums" "$(grep -o '"checksum":"[0-9a-f]*"' "$reports/$2/out")"
}
# resumed NAME WORDS…: rows of that training: from one checkpoint on, the same bits whether it is stopped again or not.
resumed() {
  local name=$1
  shift
  rm -rf "$name.once" "$name.twice"
  check "${name}_begun" 60 0 "$@" --steps 4 --checkpoint "$name.once"
  cp -r "$name.once" "$name.twice"
  check "${name}_once" 60 0 "$@" --steps 12 --checkpoint "$name.once"
  check "${name}_twice" 60 0 "$@" --steps 8 --checkpoint "$name.twice"
  check "${name}_thrice" 60 0 "$@" --steps 12 --checkpoint "$name.twice"
  row "${name}_resumed" same_bits "${name}_once" "${name}_thrice"
}
resumed model env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet18 --batch-size 16 --json --deadline 90
resumed transformer env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model transformer --batch-size 8 --json --deadline 90
# In fp16 gradients that overflow skip a step, and how many did is said: a last layer ten thousand times as large makes them.
# shellcheck disable=SC2317 # called by row
tensors() { python3 -B "$root/tests/workers/tensors.py" "$@"; }
fp16=(env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet18 --batch-size 32 --precision fp16 --deadline 90)
check fp16_begun 60 0 "${fp16[@]}" --steps 1 --learning-rate 0 --final-weights fp16.begun
row fp16_scaled tensors scale fp16.begun fp16.scaled fc.weight 10000
check fp16_skips 60 0 "${fp16[@]}" --steps 20 --learning-rate 1e-9 --initial-weights fp16.scaled --results fp16.json
# shellcheck disable=SC2317 # called by row
skips_said() {
  local skipped
  skipped=$(python3 -c 'import json; print(json.load(open("fp16.json"))["skipped_steps"])') || return 1
  [ "$skipped" -gt 0 ] || fail "no step was skipped"
  contains "the text" "$skipped of 20 steps were skipped because their gradients overflowed" "$(<fp16_skips/out)"
}
row fp16_says skips_said
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
assert len(r["peak_memory_bytes_by_rank"]) == int(sys.argv[2]) and r["peak_memory_source"] in ("driver", "free_memory"), r["peak_memory_source"]
assert r["gpu_memory_bytes"] == r["peak_memory_bytes_by_rank"][0] >= r["allocated_gpu_memory_bytes"] > 1e9
assert (r["slowest_rank"] is None) == (int(sys.argv[2]) == 1)
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

# shellcheck disable=SC2317 # called by row
# same_losses RESULTS RESULTS SHARE: step by step within this share of each other, and they fall.
same_losses() {
  python3 - "$@" << 'END'
import json, sys
one, two = (json.load(open(path))["losses"] for path in sys.argv[1:3])
print(one, two)
assert len(one) == len(two) == 8 and one[-1] < one[0]
assert all(abs(a - b) < float(sys.argv[3]) * a for a, b in zip(one, two)), [abs(a - b) / a for a, b in zip(one, two)]
END
}
# shellcheck disable=SC2317 # called by row
# details_of_trainings ACCEPT_JSON: of each model what stands behind its rate is known; the peak where the GPU's is.
details_of_trainings() {
  python3 - "$1" << 'END'
import json, sys
trained = [f for f in json.load(open(sys.argv[1]))["figures"] if f["suite"] == "model" and "shares" in f["params"]]
assert len(trained) == 3, trained
for f in trained:
    p = f["params"]
    print(f["name"], f.get("share_of_peak"), p["shares"], p["scaling_efficiency"], p["peak_memory_bytes_by_rank"], p["slowest_rank"])
    assert 0.3 < p["scaling_efficiency"] < 1.1 and p["slowest_rank"]["ratio"] >= 1 and min(p["peak_memory_bytes_by_rank"]) > 1e9
    assert not any(gpu in f["model"] for gpu in ("H100", "H200")) or 0.05 < f["share_of_peak"] < 1
END
}

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
  fitting all "$workers/rv-train" --model resnet50
  resumed two env CUDA_VISIBLE_DEVICES=0,1 "$workers/rv-train" --gpus 2 --model resnet18 --batch-size 16 --json --deadline 90
  # Ranks with a batch each train as one with all of them, from the same weights on the same tokens: two, and all there are.
  words=(--model transformer --dropout 0 --sequence 63 --deadline 90)
  row tokens_of_one tensors tokens one.tokens 4 8 64 1000
  check words_begun 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" "${words[@]}" --batch-size 8 --batches one.tokens --steps 1 \
    --learning-rate 0 --final-weights words.begun
  for precision in fp32 bf16 fp16; do
    check "words_of_one_$precision" 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" "${words[@]}" --gpus 1 --batch-size 8 \
      --batches one.tokens --steps 8 --initial-weights words.begun --precision "$precision" --results "one.$precision.json"
  done
  # shellcheck disable=SC2317 # called by row
  # sent_by RESULTS PATTERN: what moved the gradients.
  sent_by() { matches "gradients_by" "$2" "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["gradients_by"])' "$1")"; }
  # Whose gradients go by the copy engines, and by NCCL where GPUs may not reach each other: from one checkpoint the same bits.
  # together RANKS
  together() {
    local n=$1 precision share ranks
    row "tokens_of_$n" tensors tokens "$n.tokens" $((4 * n)) $((8 / n)) 64 1000
    # In fp32 gradients are added up on the way, in narrow types they are sent to each other.
    for precision in fp32:1e-4 bf16:1e-2 fp16:2e-3; do
      share=${precision#*:} precision=${precision%:*}
      check "words_of_${n}_$precision" 60 0 "$workers/rv-train" "${words[@]}" --gpus "$n" --batch-size $((8 / n)) \
        --batches "$n.tokens" --steps 8 --initial-weights words.begun --precision "$precision" --results "$n.$precision.json"
      row "${n}_train_as_one_$precision" same_losses "one.$precision.json" "$n.$precision.json" "$share"
    done
    ranks=("$workers/rv-train" --model resnet18 --gpus "$n" --batch-size 16 --json --deadline 90)
    rm -rf "$n.copies" "$n.nccl"
    check "begun_by_$n" 60 0 "${ranks[@]}" --steps 2 --checkpoint "$n.copies" --results "begun_by_$n.json"
    cp -r "$n.copies" "$n.nccl"
    check "copies_of_$n" 60 0 "${ranks[@]}" --steps 8 --checkpoint "$n.copies" --results "copies_of_$n.json"
    check "nccl_of_$n" 60 0 env NCCL_P2P_DISABLE=1 "${ranks[@]}" --steps 8 --checkpoint "$n.nccl" --results "nccl_of_$n.json"
    row "${n}_same_bits" same_bits "copies_of_$n" "nccl_of_$n"
    row "${n}_by_copies" sent_by "copies_of_$n.json" '^copy engines$'
    row "${n}_by_nccl" sent_by "nccl_of_$n.json" '^NCCL '
  }
  together 2
  if [ "$gpus" -ge 8 ]; then together 8; elif [ "$gpus" -ge 4 ]; then together 4; fi
  check model_dies 60 3 "$workers/rv-train" --model transformer --inject die@1:30 --deadline 60 --silence 5
  has model_dies 'rank 1 .* was killed by signal 9'
  check model_slow 120 1 "$workers/rv-train" --model resnet18 --batch-size 128 --inject slow@1:50 --deadline 90
  has model_slow 'work per step: fail, slow at the same work: rank 1 '
  # Judged as an acceptance: the baselines are those of an H200, so another GPU is only compared with its equals.
  : > site.yaml
  check accept_models 600 0 env RV_HOME="$reports/home" RV_SITE="$reports/site.yaml" "$build/cli/rv" accept --local \
    --gpus-per-node "$gpus" --suite resnet18,resnet50,transformer --workers "$workers" --report-dir "$reports/accept_models_report"
  figures accept_models samples/s
  row accept_models_details details_of_trainings accept_models_report/accept.json
  fault=(--quick --suite sweep --ops all_reduce -b 1M -e 1M --place out --deadline 30 --silence 5)
  check fault_never 60 3 "$workers/rv-collective" "${fault[@]}" --inject never@1
  has fault_never '1 of [0-9]+ ranks did not join .*: rank 1 '
  check fault_die 60 3 "$workers/rv-collective" "${fault[@]}" --inject die@1:6
  has fault_die 'rank 1 .* was killed by signal 9'
  check fault_hang 60 3 "$workers/rv-collective" "${fault[@]}" --inject hang@1:6
  has fault_hang 'rank 1 .* has sent no sign of life'
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
