#!/usr/bin/env bash
# Without a GPU rv-compute skips with a reason and never passes; with --device auto it measures the CPU, which is still a skip.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 77 worker --device cuda --json
all_say report "len(d) == 3 and d[1]['verdict'] == 'skip' and d[1]['reason'] == '$RV_SKIP_REASON' and d[2]['verdict'] == 'skip'" out
exits 0 worker --device cuda --allow-skip
has_line stdout "$RV_SKIP_REASON" "$out"
[ "$RV_SKIP_REASON" != no_cuda_build ] || has_line stdout 'was built without CUDA' "$out"

# auto without a GPU measures the CPU, and is a skip all the same.
exits 77 worker --quick --size 64 --suite exact --json
all_say report "d[1]['reason'] == '$RV_SKIP_REASON' and d[2]['name'] == 'exact_fp64' and d[-1]['verdict'] == 'skip'" out
