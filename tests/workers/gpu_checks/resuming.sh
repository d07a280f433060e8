# Training that is stopped and resumed gives the same results, and its reports list skipped steps and the parts of a step's
# time.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
resumed model env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet18 --batch-size 16 --json --deadline 90
resumed transformer env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model transformer --batch-size 8 --json --deadline 90
# In fp16 gradients that overflow skip a step, and how many did is said: a last layer ten thousand times as large makes them.
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
rm -rf parts_timed
timed=(env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50 --batch-size 64 --steps 40 --checkpoint parts_timed --json --deadline 90)
check model_parts 120 0 "${timed[@]}" --results model_parts.json
row model_parts_sound sound model_parts.json 1
check model_parts_saved 60 77 "${timed[@]}"
row model_parts_no_trace same_bits model_parts_saved model_parts

# The toy's training goes on where it was ended, bit for bit, also on a GPU.
rm -rf whole parts
check train_whole 40 0 "$workers/rv-train" --quick --checkpoint-dir whole --json
# One epoch alone cannot show a falling loss, which is a fail; its checkpoint is what is wanted.
check train_first_part 40 1 "$workers/rv-train" --epochs 1 --checkpoint-dir parts --json
check train_resumed 40 0 "$workers/rv-train" --quick --checkpoint-dir parts --json
row train_bits same_bits train_whole train_resumed
