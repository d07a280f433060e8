#!/usr/bin/env bash
# A command that uses more memory than it requested is killed and not started again, and rv reports the memory limit.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

exits 123 rv run -g 1 --mem 100M --time 5m --name hungry -f \
  bash -c 'echo x >>ate; exec python3 -c "import time; x = bytearray(600 << 20); time.sleep(60)"'
contains "what the user sees" "exceeded memory limit" "$err"
state=$(field hungry "['state']")
[ "$state" = out-of-memory ] || [ "$state" = lost ] || fail "state $state"
equal "times that it ate" 1 "$(lines_in ate)"
