#!/usr/bin/env bash
# Broken hardware early in a run: the run is started again without the faulty node, at most twice, and never if the command may
# run only once.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

fault='echo "NVRM: Xid (PCI:0000:17:00): 79, GPU has fallen off the bus." >&2; exit 1'

# Once, then well; what rv env holds is there each time, and gone from disk afterwards.
printf 's3same\n' | rv env set SECRET 2>/dev/null
exits 0 rv run -f --requeue -g 1 -t a100 --time 5m --name once \
  'echo "$SLURMD_NODENAME" >>nodes; echo "$SECRET" >>secrets; [ "$(wc -l <nodes)" -gt 1 ] && exit 0; '"$fault"
equal "executions" 2 "$(wc -l <nodes)"
equal "different nodes" 2 "$(sort -u nodes | wc -l)"
equal "state" "done" "$(field once "['state']")"
equal "secrets" "s3same s3same" "$(paste -sd' ' secrets)"
[ -z "$(find "$RV_HOME/runs" -name environment)" ] || fail "the secret is still in the run's folder"
exits 0 rv env rm SECRET
contains "story" '"retry"' "$(rv show once --json)"

# Of an array, the element whose hardware broke, and no other.
exits 0 rv run -f --requeue -g 1 -t a100 --time 5m --name swept --array 0-2%2 \
  'echo "$RV_ARRAY_INDEX $SLURMD_NODENAME" >>swept; [ "$(grep -c "^1 " swept)" = 1 ] && [ "$RV_ARRAY_INDEX" = 1 ] || exit 0; '"$fault"
equal "executions" "0 1 1 2" "$(cut -d' ' -f1 swept | sort | paste -sd' ')"
equal "different nodes" 2 "$(sed -n 's/^1 //p' swept | sort -u | wc -l)"
equal "detail" "exit code 0; 3 of 3 elements done" "$(field swept "['detail']")"
contains "story" "element 1: a GPU or its link is broken" "$(rv show swept --json)"
exits 1 rv run -f -g 1 -t a100 --time 5m --name swept-once --array 0-1 'echo x >>once; '"$fault"
equal "executions" 2 "$(wc -l <once)"

# Without --requeue the command runs once, whatever broke.
exits 1 rv run -f -g 1 -t a100 --time 5m --name only-once 'echo x >>ran; '"$fault"
equal "executions" 1 "$(wc -l <ran)"

# A third failure is more likely the run's fault than the nodes'.
exits 1 rv run -f --requeue -g 1 --time 5m --name hopeless 'echo "$SLURMD_NODENAME" >>tried; '"$fault"
equal "executions" 3 "$(wc -l <tried)"
equal "different nodes" 3 "$(sort -u tried | wc -l)"
equal "state" failed "$(field hopeless "['state']")"

# On the only node of its type there is no node for another attempt: the run's own end stays, of an array too.
exits 7 rv run -f --requeue -g 1 -t 1g.10gb --time 5m --name nowhere 'echo x >>nowhere; '"${fault%1}7"
equal "executions" 1 "$(wc -l <nowhere)"
equal "state and exit code" "failed 7" "$(field nowhere "['state']") $(field nowhere "['exit_code']")"
contains "detail" "it could not be started again" "$(field nowhere "['detail']")"
exits 7 rv run -f --requeue -g 1 -t 1g.10gb --time 5m --name swept-nowhere --array 0-2 \
  '[ "$RV_ARRAY_INDEX" = 1 ] || exit 0; '"${fault%1}7"
contains "detail" "2 of 3 elements done, 1 failed (1); it could not be started again" "$(field swept-nowhere "['detail']")"
