#!/usr/bin/env bash
# rv-train learns from CIFAR's Python archives; a wrong or missing archive is named.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

mkdir data
for set in cifar10 cifar100; do
  python3 "$here/cifar_archive.py" data "$set" 40 || fail "the made-up $set is none"
  exits 0 worker --device cpu --local-ranks 1 --model resnet18 --data-mode "$set" --data-dir data --image-size 16 --num-classes 100 \
    --batch-size 20 --steps 10 --results results.json
  says "$set is learnt" 'd["losses"][-1] < 0.3 * d["losses"][0]' results.json
done
cp data/cifar-100-python/train data/cifar-10-batches-py/data_batch_3
exits 3 worker --device cpu --local-ranks 1 --model resnet18 --data-mode cifar10 --data-dir data
has_line stdout 'cifar-10-batches-py/data_batch_3 has no data or no list of labels; download it again from .*\(the binary version\)' "$out"
rm -r data/cifar-10-batches-py
exits 3 worker --device cpu --local-ranks 1 --model resnet18 --data-mode cifar10 --data-dir data
has_line stdout 'data/data_batch_1.bin is missing; download it from' "$out"
