#!/usr/bin/env bash
# The suite rounds: four "hosts" transfer in pairs at the same time, and a rank that is slow with each partner is named.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

(umask 077 && echo 0123456789abcdef >token)
four() {
  local host port
  port=$(free_port)
  set -- --device cpu --quick --suite rounds --deadline 30 --ranks 127.0.0.1:1,127.0.0.2:1,127.0.0.3:1,127.0.0.4:1 \
    --port "$port" --token-file token "$@"
  for host in 2 3 4; do beside env "RV_NODE_NAME=n$host" timeout 60 "$RV" "$@" --host "127.0.0.$host"; done
  RV_NODE_NAME=n1 runs worker "$@" --host 127.0.0.1
}

four --json
equal "exit code" 0 "$code"
all_say report '[(l["params"]["nodes"], l["params"]["rounds"]) for l in d if l.get("name") == "pairs of nodes"] == [(4, 3)]' out
all_say matrix 'all(v for l in d if l.get("name") == "pairs of nodes" for i, row in enumerate(l["params"]["matrix"]) for j, v in enumerate(row) if i != j)' out

four --inject slow@2:300
equal "exit code" 1 "$code"
has_line stdout 'slow to and from every other node, .*: rank 2 ' "$out"

# One node has no pairs.
exits 3 worker --device cpu --local-ranks 2 --quick --suite rounds
