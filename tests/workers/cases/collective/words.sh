#!/usr/bin/env bash
# Without a GPU rv-collective skips with a reason and never passes; invalid arguments are usage errors.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 77 worker --device cuda --json
all_say report "d[0]['reason'] == '$RV_SKIP_REASON' and d[-1]['verdict'] == 'skip'" out
exits 0 worker --device cuda --allow-skip
exits 2 worker --ops allreduce
exits 2 worker -b 1Q
exits 2 worker -b 1M -e 1K
exits 2 worker --device cpu --inject nonsense
exits 0 worker --help
has_line stdout 'Exit codes:' "$out"
