#!/usr/bin/env bash
# A damaged checkpoint is replaced by the previous one; if both are damaged, training does not start from scratch.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --local-ranks 1 --quick --checkpoint-dir old --save-every 10
exits 3 worker --device cpu --local-ranks 1 --quick --checkpoint-dir old --batch 128
has_line stdout 'belongs to another training' "$out"
printf x | dd of=old/rv-train.checkpoint bs=1 seek=5000 conv=notrunc 2>/dev/null
exits 0 worker --device cpu --local-ranks 1 --quick --checkpoint-dir old --json
has_line stderr 'is damaged or missing; using .*before' "$err"
all_say report 'd[1]["params"]["resumed_at"] == 30' out
for file in old/*checkpoint*; do printf x | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null; done
exits 3 worker --device cpu --local-ranks 1 --quick --checkpoint-dir old
has_line stdout 'is damaged, and so is the checkpoint before it' "$out"
