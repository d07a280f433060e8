#!/usr/bin/env bash
# rv passes --fabric to the workers and judges it by the NCCL log that comes back. A stand-in for the worker leaves the log that
# one on GPUs would leave.
# shellcheck source=tests/accept/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir workers
for worker in health compute train; do printf '#!/bin/sh\nexit 0\n' >"workers/rv-$worker"; done
cat >workers/rv-collective <<'EOF'
#!/bin/bash
while [ "$1" != --report-dir ]; do shift; done
env | grep -E '^(NCCL_|RV_NCCL)' | sort >"$2/environment"
log=${NCCL_DEBUG_FILE//%h/n1}
[ -z "$log" ] || cat "$RVT_LOG" >"${log//%p/$$}"
cat >"$2/rv-collective.n1.$$.jsonl" <<'EOR'
{"kind":"environment","gpus":[{"index":0,"uuid":"GPU-a","model":"NVIDIA H200"},{"index":1,"uuid":"GPU-b","model":"NVIDIA H200"}]}
{"kind":"measurement","suite":"collective","name":"all_reduce fp32 128 MiB","gpu":{"index":"all","model":"NVIDIA H200"},"value":300,"unit":"GB/s","params":{"collective":"all_reduce","type":"fp32","bytes":134217728},"verdict":"pass"}
{"kind":"result","verdict":"pass"}
EOR
EOF
chmod +x workers/*
export RVT_LOG="$work/log"
line='n1:811:845 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1]'
accept() { "$RV" accept --local --worker-folder "$work/workers" --gpus-per-node 2 --suite collective --report-dir "$work/report" "$@"; }
environment() { cat "$RV_HOME"/accept/*-*/reports/*/collective/environment; }

echo "$line via SHM/direct/direct" >log
exits 0 accept --fabric shm
contains "the proof" "proven by NCCL's log at 1 of 1 (node, step)" "$out"
contains "what forces it" "NCCL_P2P_DISABLE=1" "$(environment)"
says proof 'd["fabric"][0]["used"] == "yes" and d["fabric"][0]["seen"] == "1 channel over SHM" and d["order"]["fabric"] == "shm"' report/accept.json
says baselines 'd["figures"][0]["fabric"] == "shm"' report/accept.json
rm -r "$RV_HOME/accept"

exits 3 accept --fabric ethernet
contains "another fabric" "NCCL did not use only ethernet: 1 channel over SHM" "$out"
contains "what forces it" "NCCL_NET=Socket" "$(environment)"
rm -r "$RV_HOME/accept"

: >log
exits 77 accept --fabric ib
contains "no proof" "it is not known whether NCCL used ib" "$out"
says unknown 'd["fabric"][0]["used"] == "unknown"' report/accept.json
folder=$(echo "$RV_HOME"/accept/*-*)
exits 77 "$RV" accept --judge "$folder"
rm -r "$RV_HOME/accept"

# The user's settings for NCCL stay unless the fabric overrides them; without --fabric all of them stay.
printf '%s\n%s via P2P/CUMEM\n' 'n1:811:845 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to NVL' "$line" >log
NCCL_SOCKET_IFNAME=eth7 NCCL_P2P_DISABLE=1 exits 0 accept --fabric nvlink
contains "the user's interface" "NCCL_SOCKET_IFNAME=eth7" "$(environment)"
contains "what nvlink needs" "NCCL_P2P_DISABLE=0" "$(environment)"
rm -r "$RV_HOME/accept"
NCCL_P2P_DISABLE=1 exits 0 accept
equal "NCCL's environment without --fabric" "NCCL_P2P_DISABLE=1" "$(environment)"
says "no fabric" 'd["fabric"] == [] and "fabric" not in d["order"]' report/accept.json

exits 2 accept --fabric nvlnk
contains "a typo" 'did you mean "nvlink"' "$err"
exits 2 accept --fabric ''
exits 2 accept --fabric ib --device cpu
contains "gloo" "--fabric and --device cpu can't be combined" "$err"
exits 2 "$RV" accept --local --gpus-per-node 2 --suite compute --fabric shm
contains "nothing that goes over it" "is not used by any of the suites" "$err"
exits 2 "$RV" accept --local --gpus-per-node 1 --fabric nvlink
contains "one GPU" "needs two GPUs of a node, and you requested one" "$err"
