#!/usr/bin/env bash
# A home on a file system without hard links: rv says so before it submits anything, and leaves no file there. strace makes
# link(2) fail.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

without_links() { strace -f -qq -e trace=link,linkat -e inject=link,linkat:error=EPERM -o /dev/null "$RV" "$@"; }

before=$(squeue -h -o %i | wc -l)
exits 125 without_links run -g 1 --time 5m hostname
contains stderr "does not support hard links (Operation not permitted), which runs need" "$err"
contains advice "set RV_HOME to a folder on another file system" "$err"
equal "jobs" "$before" "$(squeue -h -o %i | wc -l)"
equal "run folders" "" "$(ls "$RV_HOME/runs")"
exits 125 without_links init
contains stderr "does not support hard links" "$err"
exits 0 rv run -g 1 --time 5m -f hostname
