#!/usr/bin/env bash
# Two sandboxes that are started together both run, and neither sees the jobs of the other.
. "$(dirname "$0")/lib.sh"

up a --shape tiny &
first=$!
up b --shape tiny
wait "$first" || fail "the first did not start"
on a sbatch --output=/dev/null --job-name=of-a --wrap 'sleep 100' >/dev/null
eventually 'of-a RUNNING' on a squeue -h -o '%j %T'
equal "the other's queue" '' "$(on b squeue -h)"
"$sandbox" down --dir "$work/a" >/dev/null
equal "the other's nodes" 'node-1 idle
node-2 idle' "$(on b sinfo -h -N -o '%N %t')"
