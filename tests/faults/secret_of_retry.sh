#!/usr/bin/env bash
# An element of an array whose hardware broke is started again after the others have ended: the values of rv env are still
# available to it, and are removed when the run is over.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

printf 's3same\n' | rv env set SECRET 2>/dev/null
exits 0 rv run -f --requeue -g 1 --time 5m --name elements --array 0-1 '
  [ "$RV_ARRAY_INDEX" = 0 ] || { sleep 8; exit 0; }
  echo "$SECRET" >>secrets
  [ "$(wc -l <secrets)" -gt 1 ] || { echo "NVRM: Xid (PCI:0000:17:00): 79, GPU has fallen off the bus." >&2; exit 1; }'
equal "what element 0 saw" "s3same s3same" "$(paste -sd' ' secrets)"
[ -z "$(find "$RV_HOME/runs" -name environment)" ] || fail "the secret is still in the run's folder"
