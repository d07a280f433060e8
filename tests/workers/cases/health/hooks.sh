#!/usr/bin/env bash
# In the examples for Slurm's prolog and health check, only a finding of rv-health makes the prolog fail or the health check
# drain the node (tests/faults/health_hook.sh tests what Slurm does then).
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

hooks=$(realpath "$here/../../examples/hooks")
RV_WORKERS=$(dirname "$RV")
export RV_WORKERS
# Without a GPU everything is skipped, and a node without workers does not fail either.
exits 0 bash "$hooks/prolog.sh"
equal "nothing is printed" "" "$out$err"
exits 0 env RV_WORKERS="$work/missing" bash "$hooks/prolog.sh"
exits 0 env RV_WORKERS="$work/missing" bash "$hooks/health_check.sh"
# A finding, as rv-health prints one: a GPU of the report before that is missing now.
echo '{"kind":"environment","readings":[{"uuid":"GPU-gone","model":"H200","numbers":{"pcie_replays":1}}]}' >before
mkdir finding
printf '#!/bin/sh\nexec %q --before %q "$@"\n' "$RV" "$work/before" >finding/rv-health
chmod +x finding/rv-health
exits 1 env RV_WORKERS="$work/finding" bash "$hooks/prolog.sh"
contains "the finding" "GPU-gone" "$err"
