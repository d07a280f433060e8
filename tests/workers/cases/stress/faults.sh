#!/usr/bin/env bash
# rv-stress reports injected faults, failing programs and invalid arguments.
# shellcheck source=tests/own_memory.sh
source "$(dirname "$0")/../../../own_memory.sh"
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 1 worker --device cpu --duration 0.5 --reference 0 --inject die@1:1
has_line stdout 'worker 1: fail, was killed by signal 9' "$out"
# The cause of a worker's failure has its own field, besides the message.
causes='[m["params"].get("cause") for m in d if m.get("name", "").startswith("worker ")]'
exits 1 worker --device cpu --duration 0.5 --reference 0 --workers 2 --inject corrupt@1 --json
all_say report "$causes == [None, 'wrong_result']" out
exits 1 worker --device cpu --duration 0.5 --reference 0 --workers 2 --inject descriptor@0 --json
all_say report "$causes == ['leak', None]" out
exits 1 worker --device cpu --duration 0.5 --reference 0 --workers 2 --inject orphan@1
has_line "an orphan" 'processes: fail, left behind, and ended: of worker 1: [0-9]+ \(rv-stress ' "$out"
exits 2 worker --inject nonsense
has_line stderr 'is not a fault' "$err"
exits 126 worker --device cpu --skip-stress -- /etc/passwd
exits 127 worker --device cpu --skip-stress -- ./missing
exits 1 worker --device cpu --skip-stress -- sh -c 'exit 3'
has_line stdout 'it ended with exit code 3' "$out"
exits 2 worker --memory 0
exits 0 worker --help
