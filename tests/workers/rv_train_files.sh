#!/usr/bin/env bash
# rv-train with weights and batches from files, as torch_curve.py and anyone else may write them.
# usage: rv_train_files.sh WORKER cuda|cpu-only
set -u
worker=$(realpath "${1:?the rv-train binary}")
build=${2:?cuda or cpu-only}
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/workers/worker_case.sh
. "$here/worker_case.sh"
checksum() { grep -o '"checksum":"[0-9a-f]*"' "$1"; }
tensors() { python3 -B "$here/tensors.py" "$@" || fail "tensors.py $*"; }

tensors tokens words 2 2 16 16
tensors images pictures 3 2 16 16
words=(--device cpu --model transformer --batch-size 2 --dropout 0 --batches words --json)
pictures=(--device cpu --model resnet18 --batch-size 2 --image-size 16 --batches pictures --json)

# Without learning, the weights at the end are those of the beginning. Begun with them, another seed ends with the same
# bits as theirs; begun with its own, with others.
dumped() {
  local name=$1
  shift
  run 0 "$@" --steps 1 --learning-rate 0 --final-weights "$name.begun"
  run 0 "$@" --steps 2 --final-weights "$name.ended"
  checksum out > whole.sum
  run 0 "$@" --steps 2 --seed 7
  checksum out | cmp -s - whole.sum && fail "$name: another seed, the same weights"
  run 0 "$@" --steps 2 --seed 7 --initial-weights "$name.begun" --final-weights "$name.again"
  checksum out | cmp -s - whole.sum || fail "$name: from the dumped weights it trains otherwise"
}
dumped words "${words[@]}" --local-ranks 2
cmp -s words.ended words.again || fail "the dumped ends differ"
dumped pictures "${pictures[@]}" --local-ranks 1

# What the loss must be is known where all scores are the same: the logarithm of the classes. What is
# right is the first of them.
tensors zero words.begun flat output.weight output.bias
run 0 "${words[@]}" --local-ranks 1 --steps 1 --initial-weights flat --results results.json
python3 - << 'PYTHON' || fail "a flat beginning has another loss: $(cat results.json)"
import json, math
r = json.load(open("results.json"))
assert abs(r["losses"][0] - math.log(16)) < 1e-6 and r["data_mode"] == "batches"
assert len(r["accuracies"]) == 1 and r["accuracy"] == r["accuracies"][0] < 0.3
PYTHON

# Two ranks with a batch each train as one with both.
tensors tokens both 1 4 16 16
run 0 "${words[@]}" --local-ranks 2 --steps 6 --initial-weights words.begun --results two.json
run 0 --device cpu --model transformer --batch-size 4 --dropout 0 --batches both --local-ranks 1 --steps 6 \
  --initial-weights words.begun --results one.json
python3 - << 'PYTHON' || fail "two ranks train otherwise than one"
import json
one, two = (json.load(open(f"{name}.json")) for name in ("one", "two"))
assert len(one["losses"]) == 6 and one["losses"][-1] < one["losses"][0]
for a, b in zip(one["losses"], two["losses"]):
    assert abs(a - b) < 1e-5 * a, (a, b)
PYTHON

# What does not fit is named, and nothing is trained.
refused() {
  local complaint=$1
  shift
  run 3 "$@"
  has "$complaint" out
}
begin=("${words[@]}" --local-ranks 1 --steps 1 --initial-weights)
tensors drop words.begun other output.bias
refused 'other: output\.bias is missing' "${begin[@]}" other
tensors add words.begun other output.scale
refused 'other: output\.scale is nothing that a transformer has' "${begin[@]}" other
tensors reshape words.begun other transformer_encoder.layers.1.linear1.weight 64 128
refused 'other: transformer_encoder\.layers\.1\.linear1\.weight is 64x128 and should be 128x64' "${begin[@]}" other
head -c 100000 words.begun > other
refused 'other: .* reaches beyond the end; the file is cut off' "${begin[@]}" other
head -c 5 words.begun > other
refused 'other: is too short for a safetensors file' "${begin[@]}" other
refused 'words: embedding\.weight is missing' "${begin[@]}" words
refused 'cannot read nowhere' "${begin[@]}" nowhere
refused 'words: images is missing' --device cpu --local-ranks 1 --model resnet18 --batches words
refused 'words: tokens is 2x2x16 and should be N batches of 3x16' --device cpu --local-ranks 1 --model transformer \
  --batches words --batch-size 3
refused 'words: tokens has [0-9]+, and there are 4 classes' --device cpu --local-ranks 1 --model transformer \
  --batches words --batch-size 2 --num-classes 4
refused 'cannot write nowhere/final' "${words[@]}" --local-ranks 1 --steps 1 --final-weights nowhere/final
run 2 --device cpu --model transformer --batches words --data-mode synthetic
run 2 --device cpu --batches words
has 'name another model' err
run 2 --device cpu --model transformer --dropout 1

# The script that compares says what it lacks.
mkdir without
echo 'raise ImportError' > without/torch.py
PYTHONPATH=without python3 -B "$here/../bench/torch_curve.py" "$worker" > out 2> err
[ $? = 3 ] || fail "torch_curve.py without PyTorch did not end with 3"
has 'this python has no PyTorch' err
echo passed
