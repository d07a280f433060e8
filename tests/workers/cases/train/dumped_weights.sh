#!/usr/bin/env bash
# A training that starts from the weights file of another training ends with the same bits.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

tensors tokens words 2 2 16 16
tensors images pictures 3 2 16 16
words=(--device cpu --model transformer --batch-size 2 --dropout 0 --batches words --json)
pictures=(--device cpu --model resnet18 --batch-size 2 --image-size 16 --batches pictures --json)

# Without learning, the weights at the end are those of the beginning. Begun with them, another seed ends with the same
# bits as theirs; begun with its own, with others.
dumped() {
  local name=$1 whole another
  shift
  exits 0 worker "$@" --steps 1 --learning-rate 0 --final-weights "$name.begun"
  exits 0 worker "$@" --steps 2 --final-weights "$name.ended"
  whole=$(checksum)
  exits 0 worker "$@" --steps 2 --seed 7
  another=$(checksum)
  [ "$another" != "$whole" ] || fail "$name: another seed, the same weights"
  exits 0 worker "$@" --steps 2 --seed 7 --initial-weights "$name.begun" --final-weights "$name.again"
  equal "$name: bits from the dumped weights on" "$whole" "$(checksum)"
}
dumped words "${words[@]}" --local-ranks 2
cmp words.ended words.again || fail "the dumped ends differ"
dumped pictures "${pictures[@]}" --local-ranks 1
# What the loss must be is known where all scores are the same: the logarithm of the classes. What is
# right is the first of them.
tensors zero words.begun flat output.weight output.bias
exits 0 worker "${words[@]}" --local-ranks 1 --steps 1 --initial-weights flat --results results.json
says "the loss of a flat beginning" 'abs(d["losses"][0] - __import__("math").log(16)) < 1e-6 and d["data_mode"] == "batches"' results.json
says "its accuracy" 'len(d["accuracies"]) == 1 and d["accuracy"] == d["accuracies"][0] < 0.3' results.json
