#!/usr/bin/env bash
# Two ranks with one batch each compute the same training as one rank with both batches.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

tensors tokens words 2 2 16 16
words=(--device cpu --model transformer --batch-size 2 --dropout 0 --batches words --json)
exits 0 worker "${words[@]}" --local-ranks 1 --steps 1 --learning-rate 0 --final-weights words.begun
tensors tokens both 1 4 16 16
exits 0 worker "${words[@]}" --local-ranks 2 --steps 6 --initial-weights words.begun --results two.json
exits 0 worker --device cpu --model transformer --batch-size 4 --dropout 0 --batches both --local-ranks 1 --steps 6 \
  --initial-weights words.begun --results one.json
says "one learns" 'len(d["losses"]) == 6 and d["losses"][-1] < d["losses"][0]' one.json
says "two as one" '[(a, b) for a, b in zip(json.load(open("one.json"))["losses"], d["losses"], strict=True) if abs(a - b) >= 1e-5 * a] == []' two.json
