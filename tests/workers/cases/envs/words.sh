#!/usr/bin/env bash
# rv-envs rejects a size that does not fit before it allocates memory, and names one that fits; invalid arguments are usage
# errors.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 4 worker --device cpu --num-envs 16000000
has_line stderr '^rv-envs: error: out_of_host_memory: 16,000,000 environments need [0-9.]+ GB of [0-9.]+ GB of memory, and [0-9.]+ GB are in use$' "$err"
has_line stderr '^hint: --num-envs [0-9]+ fits$' "$err"
equal "lines of stderr" 2 "$(wc -l <err)"

exits 2 worker --task steep
has_line stderr '^rv-envs: error: --task: steep is not one of rough, flat$' "$err"
exits 2 worker --num-envs 0
exits 2 worker --speed 9
exits 2 worker --device cpu --precision bf16
has_line stderr '^rv-envs: error: --precision bf16 needs a GPU$' "$err"
exits 2 worker --gpus 2 --local-ranks 2
has_line stderr '^hint: ' "$err"
exits 77 worker --device cuda --json
all_say report "d[0]['reason'] == '$RV_SKIP_REASON'" out
exits 77 worker --device gpu --json
all_say report "d[0]['reason'] == '$RV_SKIP_REASON'" out
exits 0 worker --help
has_line stdout '^  --deadline N .*\(default: 600; 1 to 86400\)' "$out"
