#!/usr/bin/env bash
# rv-train names what does not fit in files of weights and batches, and trains nothing.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

tensors tokens words 2 2 16 16
words=(--device cpu --model transformer --batch-size 2 --dropout 0 --batches words --json)
exits 0 worker "${words[@]}" --local-ranks 1 --steps 1 --learning-rate 0 --final-weights words.begun
# refused COMPLAINT ARGUMENTS…
refused() {
  local complaint=$1
  shift
  exits 3 worker "$@"
  has_line stdout "$complaint" "$out"
}
begin=("${words[@]}" --local-ranks 1 --steps 1 --initial-weights)
tensors drop words.begun other output.bias
refused 'other: output\.bias is missing' "${begin[@]}" other
tensors add words.begun other output.scale
refused 'other: output\.scale is not a tensor of a transformer' "${begin[@]}" other
tensors reshape words.begun other transformer_encoder.layers.1.linear1.weight 64 128
refused 'other: transformer_encoder\.layers\.1\.linear1\.weight is 64x128 and should be 128x64' "${begin[@]}" other
head -c 100000 words.begun >other
refused 'other: .* extends beyond the end of the file, which is cut off' "${begin[@]}" other
head -c 5 words.begun >other
refused 'other: is too short for a safetensors file' "${begin[@]}" other
refused 'words: embedding\.weight is missing' "${begin[@]}" words
refused 'cannot read nowhere' "${begin[@]}" nowhere
refused 'words: images is missing' --device cpu --local-ranks 1 --model resnet18 --batches words
refused 'words: tokens is 2x2x16 and should be N batches of 3x16' --device cpu --local-ranks 1 --model transformer \
  --batches words --batch-size 3
refused 'words: tokens has [0-9]+, but there are 4 classes' --device cpu --local-ranks 1 --model transformer \
  --batches words --batch-size 2 --num-classes 4
refused 'cannot write nowhere/final' "${words[@]}" --local-ranks 1 --steps 1 --final-weights nowhere/final
exits 2 worker --device cpu --model transformer --batches words --data-mode synthetic
exits 2 worker --device cpu --batches words
has_line stderr 'choose another model' "$err"
exits 2 worker --device cpu --model transformer --dropout 1
