#!/usr/bin/env bash
# rv-train learns FashionMNIST in its published format, from images made here in which each class has its own pattern under
# noise. Each sample comes once, so the accuracy at the end is measured on unseen samples.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

mkdir data
python3 - <<'EOF'
import gzip, random, struct
random.seed(1)
patterns = [[random.randrange(40, 200) for _ in range(16)] for _ in range(10)]
labels = [random.randrange(10) for _ in range(500)]
def picture(label):
    noise = random.randbytes(784)
    return bytes(patterns[label][i // 28 // 7 * 4 + i % 28 // 7] + noise[i] % 81 - 40 for i in range(784))
with gzip.open("data/train-images-idx3-ubyte.gz", "wb") as f:
    f.write(struct.pack(">IIII", 0x803, 500, 28, 28) + b"".join(picture(label) for label in labels))
with gzip.open("data/train-labels-idx1-ubyte.gz", "wb") as f:
    f.write(struct.pack(">II", 0x801, 500) + bytes(labels))
EOF
exits 0 worker --device cpu --local-ranks 1 --model resnet18 --data-mode fashion_mnist --data-dir data --image-size 16 --num-classes 10 \
  --batch-size 20 --learning-rate 0.001 --steps 25 --results results.json
says accuracies 'len(d["accuracies"]) == 25 and d["accuracies"][0] <= 0.5 and
  abs(d["accuracy"] - sum(d["accuracies"][-10:]) / 10) < 1e-9' results.json
says "it is learnt" 'd["accuracy"] >= 0.95 and d["losses"][-1] < 0.5 * d["losses"][0]' results.json
