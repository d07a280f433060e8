#!/usr/bin/env bash
# Two ranks that were started with different options end, and the option is named.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

export RV_RENDEZVOUS_TOKEN=0123456789abcdef0123456789abcdef WORLD_SIZE=2 MASTER_ADDR=127.0.0.1
MASTER_PORT=$(free_port)
export MASTER_PORT
RANK=1 LOCAL_RANK=1 beside timeout 60 "$RV" --device cpu --model transformer --batch-size 3
RANK=0 LOCAL_RANK=0 exits 3 worker --device cpu --model transformer --batch-size 2
has_line stdout 'rank 1 \(host .*\) has batch_size_per_gpu 3, but rank 0 has 2; start all ranks with the same options' "$out"
other_exits 3
