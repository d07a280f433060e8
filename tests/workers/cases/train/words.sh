#!/usr/bin/env bash
# Invalid arguments of rv-train are usage errors; without a GPU it skips with the reason.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 3 worker --device cpu --local-ranks 1 --model transformer --precision bf16
has_line stdout '--precision bf16 needs a GPU' "$out"
exits 2 worker --model resnet19
has_line stderr '^rv-train: error: --model: resnet19 is not one of mlp, resnet18, resnet50, transformer$' "$err"
has_line stderr '^hint: rv-train --help' "$err"
exits 2 worker --model resnet18 --batch-size 0

exits 77 worker --device cuda --json
all_say report "d[0]['reason'] == '$RV_SKIP_REASON'" out
exits 2 worker --batch 0
exits 0 worker --help
