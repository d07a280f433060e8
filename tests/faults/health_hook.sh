#!/usr/bin/env bash
# The example of a health check drains a node once when it has a finding, and keeps the reason of a node that is drained
# already.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

worker=$(realpath "$(dirname "$RV")/../workers/rv-health")
[ -x "$worker" ] || fail "$worker is missing"
node=$(sinfo -h -N -o %N | head -n 1)
put_back() { scontrol update NodeName="$node" State=RESUME 2>/dev/null; }
state() { scontrol -o show node "$node" | grep -oE ' State=[^ ]*'; }
reason() { scontrol -o show node "$node" | sed -n 's/.* Reason=\(.*\) \[.*/\1/p'; }
check() { env RV_WORKERS="$1" SLURMD_NODENAME="$node" bash "$root/examples/hooks/health_check.sh"; }

exits 0 check "$(dirname "$worker")"
lacks "no finding" DRAIN "$(state)"
# A finding: the earlier report has a GPU that is missing now.
echo '{"kind":"environment","readings":[{"uuid":"GPU-gone","model":"H200","numbers":{"pcie_replays":1}}]}' >before
mkdir finding
printf '#!/bin/sh\nexec %q --before %q "$@"\n' "$worker" "$PWD/before" >finding/rv-health
chmod +x finding/rv-health
exits 1 check "$PWD/finding"
contains "a finding" DRAIN "$(state)"
matches "the reason" "^rv-health: .*GPU-gone" "$(reason)"
scontrol update NodeName="$node" State=DRAIN Reason=mine
exits 1 check "$PWD/finding"
equal "the reason of the administrator" mine "$(reason)"
