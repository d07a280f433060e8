#!/usr/bin/env bash
# rv-train rejects a size that does not fit before it allocates memory, with the bytes needed and a size that fits.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 4 worker --device cpu --local-ranks 2 --model transformer --batch-size 16000000 --report-dir refused
has_line stderr '^rv-train: error: out_of_host_memory: rank [01] \(host .*\): a step of 2 ranks with --batch-size 16000000 needs [0-9]+ bytes of memory, but [0-9]+ are free$' "$err"
has_line stderr '^hint: --batch-size [0-9]+ fits$' "$err"
equal "lines of stderr" 2 "$(wc -l <err)"
has_line stdout 'transformer +error: out_of_host_memory: ' "$out"
has_line 'refused/*.jsonl' '"kind":"result","verdict":"error"' "$(<refused/*.jsonl)"
