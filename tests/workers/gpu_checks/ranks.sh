# Several ranks compute the same training as one rank with all of their batches.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
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
