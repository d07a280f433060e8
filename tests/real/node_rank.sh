#!/usr/bin/env bash
# With two nodes of two GPUs each, every process has its own rank, and all have the same rendezvous address.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2016  # expands in the job
show='echo "$NODE_RANK $RANK $LOCAL_RANK $WORLD_SIZE $MASTER_ADDR:$MASTER_PORT $CUDA_VISIBLE_DEVICES"'
exits 0 rv run -f -g 4 --nodes 2 -t a40 --time 5m bash -c "$show"
equal "lines" 2 "$(wc -l <<<"$out")"
contains "first node" "| 0 0 0 2 " "$out"
contains "second node" "| 1 1 0 2 " "$out"
equal "meeting points" 1 "$(cut -d' ' -f6 <<<"$out" | sort -u | wc -l)"

# shellcheck disable=SC2016  # expands in the job
exits 0 rv run -f -g 4 --nodes 2 -t a40 --time 5m bash -c 'echo "secret $RV_RENDEZVOUS_TOKEN"'
equal "secrets" 1 "$(cut -d'|' -f2 <<<"$out" | sort -u | wc -l)"
has_line "a secret" '\| secret [0-9a-f]{32}$' "$out"
# shellcheck disable=SC2016  # expands in the job
RV_RENDEZVOUS_TOKEN=the-users-own-secret exits 0 rv run -f -g 4 --nodes 2 -t a40 --time 5m bash -c 'echo "secret $RV_RENDEZVOUS_TOKEN"'
equal "the user's" 2 "$(grep -c '| secret the-users-own-secret$' <<<"$out")"

exits 0 rv run -f -g 4 --nodes 2 --procs-per-node 2 -t a40 --time 5m bash -c "$show"
equal "ranks of 2×2 processes" "0 0 0 4,0 1 1 4,1 2 0 4,1 3 1 4" \
  "$(cut -d' ' -f2-5 <<<"$out" | sort | paste -sd,)"

# The first failure's code is the run's, not that of the signal that ended the others; a shell line runs whole.
# shellcheck disable=SC2016  # expands in the job
exits 9 rv run -f -g 4 --nodes 2 -t a40 --time 5m 'true; if [ "$NODE_RANK" = 1 ]; then exit 9; fi; sleep 60'
