#!/usr/bin/env bash
# Two "hosts" of a list connect with a token from a file that only its owner can read.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

one=(--device cpu --quick --suite sweep --ops all_reduce -b 1K -e 1K --place out --deadline 4 --silence 3)

(umask 077 && echo 0123456789abcdef >token)
port=$(free_port)
beside timeout 60 "$RV" "${one[@]}" --ranks localhost:1,127.0.0.1:2 --host 127.0.0.1 --port "$port" --token-file token
exits 0 worker "${one[@]}" --ranks localhost:1,127.0.0.1:2 --host localhost --port "$port" --token-file token
other_exits 0
has_line stdout '3 ranks, gloo' "$out"
chmod 644 token
exits 2 worker "${one[@]}" --ranks localhost:1,other:1 --host localhost --token-file token
has_line stderr 'chmod 600' "$err"
