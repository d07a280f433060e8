#!/usr/bin/env bash
# A training that was stopped and resumed ends with the same bits, on one rank and on two, statistics and momentum included.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

for case in "1 transformer" "2 transformer" "2 resnet18"; do
  read -r ranks model <<<"$case"
  words=(--device cpu --local-ranks "$ranks" --model "$model" --image-size 16 --batch-size 2 --json)
  rm -rf halves
  exits 0 worker "${words[@]}" --steps 4
  whole=$(checksum)
  exits 0 worker "${words[@]}" --steps 2 --checkpoint halves
  exits 0 worker "${words[@]}" --steps 4 --checkpoint halves
  equal "$case: bits of the resumed training" "$whole" "$(checksum)"
  all_say report 'd[1]["params"]["resumed_at"] == 2' out
done
