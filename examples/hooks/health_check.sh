#!/usr/bin/env bash
# A health check for Slurm (slurm.conf: HealthCheckProgram=/etc/slurm/rv_health_check.sh, HealthCheckInterval=300) that drains the
# node on which it runs if rv-health has a finding. Jobs that run there go on. It talks to the controller only to drain the node,
# once: a node that is drained already keeps its reason.
set -u
workers=${RV_WORKERS:-/opt/rv/bin}
node=${SLURMD_NODENAME:-$(hostname -s)}
report=$(timeout -k 5 20 "$workers/rv-health" --allow-skip 2>&1)
[ $? -eq 1 ] || exit 0
reason=$(sed -n '/^\[RESULT\]/,$p' <<<"$report" | grep ': fail, ' | head -n 2 | paste -sd' ' | tr -dc '[:print:]' | cut -c1-200)
scontrol -o show node "$node" 2>/dev/null | grep -qE ' State=[A-Z_+]*(DRAIN|DOWN)' ||
  scontrol update NodeName="$node" State=DRAIN Reason="rv-health: $reason"
exit 1
