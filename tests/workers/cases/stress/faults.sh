#!/usr/bin/env bash
# Faults on purpose, programs that fail, and words that are none.
# shellcheck source=tests/own_memory.sh
source "$(dirname "$0")/../../../own_memory.sh"
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 1 worker --device cpu --duration 0.5 --reference 0 --inject die@1:1
has_line stdout 'worker 1: fail, was killed by signal 9' "$out"
exits 2 worker --inject nonsense
has_line stderr 'is no fault' "$err"
exits 126 worker --device cpu --skip-stress -- /etc/passwd
exits 127 worker --device cpu --skip-stress -- ./missing
exits 1 worker --device cpu --skip-stress -- sh -c 'exit 3'
has_line stdout 'it ended with exit code 3' "$out"
exits 2 worker --memory 0
exits 0 worker --help
