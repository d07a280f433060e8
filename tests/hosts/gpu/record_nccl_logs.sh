#!/usr/bin/env bash
# Records NCCL's logs (NCCL_DEBUG=INFO) on a machine with at least two GPUs, as reports/accept/nccl_log reads them: for each
# fabric that --fabric forces, for NCCL's own choice, and for two processes that NCCL takes for two hosts. Each process writes a
# log FABRIC.RANK.log; tests/data/nccl is made from these. Takes half a minute.
# usage: record_nccl_logs.sh WORKERS FOLDER
set -euo pipefail
collective=$(realpath "${1:?the folder of rv-collective}")/rv-collective
mkdir -p "${2:?a folder for the logs}"
folder=$(realpath "$2")
cd "$folder"
export NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV RV_RENDEZVOUS_TOKEN=recording-nccl-logs MASTER_ADDR=127.0.0.1 WORLD_SIZE=2
MASTER_PORT=$((20000 + RANDOM % 10000))
export MASTER_PORT

# What --fabric sets (reports/accept/fabric.cpp).
forced() {
  case $1 in
    nvlink) echo NCCL_P2P_DISABLE=0 NCCL_P2P_LEVEL=NVL NCCL_SHM_DISABLE=1 ;;
    shm) echo NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=0 NCCL_NVLS_ENABLE=0 ;;
    ib) echo NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1 NCCL_NVLS_ENABLE=0 NCCL_IB_DISABLE=0 NCCL_NET=IB ;;
    ethernet) echo NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1 NCCL_NVLS_ENABLE=0 NCCL_IB_DISABLE=1 NCCL_NET=Socket ;;
  esac
}

# record NAME [NAME=VALUE…]: two ranks, each with a GPU of its own; "@" in a value is the rank.
record() {
  local name=$1 rank code=0 pids=()
  shift
  for rank in 0 1; do
    env RANK="$rank" LOCAL_RANK=0 "${@//@/$rank}" NCCL_DEBUG_FILE="$folder/$name.$rank.log" CUDA_VISIBLE_DEVICES="$rank" \
      timeout -k 5 60 "$collective" --local-ranks 1 --suite sweep --ops all_reduce,sendrecv -b 1M -e 1M --samples 1 -n 5 \
      --place out --deadline 30 >"$name.$rank.out" 2>"$name.$rank.err" </dev/null &
    pids+=($!)
  done
  for rank in 0 1; do wait "${pids[rank]}" || code=$?; done
  MASTER_PORT=$((MASTER_PORT + 1))
  printf '%-16s exit %-3s %s\n' "$name" "$code" \
    "$(grep -ho ' via [^ ]*' "$name".?.log 2>/dev/null | sort | uniq -c | tr -s ' \n' ' ' || true)"
}

for fabric in nvlink shm ethernet ib; do
  read -ra variables <<<"$(forced "$fabric")"
  record "$fabric" "${variables[@]}"
done
record own-choice
record no-cumem NCCL_CUMEM_ENABLE=0
record two-hosts NCCL_HOSTID=h@
read -ra variables <<<"$(forced nvlink)"
record two-hosts-nvlink NCCL_HOSTID=h@ "${variables[@]}"
read -ra variables <<<"$(forced shm)"
record two-hosts-shm NCCL_HOSTID=h@ "${variables[@]}"
