#!/usr/bin/env bash
# A prolog for Slurm (slurm.conf: Prolog=/etc/slurm/prolog.d/rv.sh) that reads the node's GPUs and InfiniBand ports in less than
# a second. A job does not start on a node with a finding: Slurm drains the node after an exit code other than 0, and requeues
# the job. Nothing here talks to the controller, and what can't be read or is missing drains no node.
set -u
workers=${RV_WORKERS:-/opt/rv/bin}
report=$(timeout -k 5 20 "$workers/rv-health" --expect-empty --allow-skip 2>&1)
[ $? -eq 1 ] || exit 0
sed -n '/^\[RESULT\]/,$p' <<<"$report" | tee >(logger -t rv-prolog) >&2
exit 1
