#!/usr/bin/env bash
# Two processes started as torchrun and rv's scripts start them: both whole, one that dies, one with another token, and one
# without a token.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

one=(--device cpu --quick --suite sweep --ops all_reduce -b 1K -e 1K --place out --deadline 4 --silence 3)

export RV_RENDEZVOUS_TOKEN=0123456789abcdef WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT
MASTER_PORT=$(free_port)
RANK=1 LOCAL_RANK=1 beside timeout 60 "$RV" "${one[@]}"
RANK=0 LOCAL_RANK=0 exits 0 worker "${one[@]}"
other_exits 0
has_line stdout 'pass: 1 passed' "$out"
equal "the report of rank 1's process" "" "$(<other.out)"
# One of two processes dies: the other has the same exit code and message.
RANK=1 LOCAL_RANK=1 beside timeout 60 "$RV" "${one[@]}" --inject die@1:5
RANK=0 LOCAL_RANK=0 exits 3 worker "${one[@]}"
other_exits 3
has_line stdout 'rank 1 .* was killed by signal 9' "$out"
has_line "rank 1's stderr" 'rank 1 .* was killed by signal 9' "$(<other.err)"
# Another token: the rank sees that rank 0 has another key, and the missing rank is named.
RV_RENDEZVOUS_TOKEN=fedcba9876543210 RANK=1 LOCAL_RANK=1 beside timeout 60 "$RV" "${one[@]}"
RANK=0 LOCAL_RANK=0 exits 3 worker "${one[@]}"
wait "$other" || true
has_line "rank 1's stderr" "does not prove that it is rank 0 of this step.* give every process the same RV_RENDEZVOUS_TOKEN" "$(<other.err)"
has_line stdout '1 of 2 ranks did not join' "$out"
# Without a token ranks of several processes do not start.
unset RV_RENDEZVOUS_TOKEN
RANK=0 exits 2 worker "${one[@]}"
has_line stderr 'export RV_RENDEZVOUS_TOKEN=' "$err"
