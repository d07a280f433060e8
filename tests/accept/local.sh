#!/usr/bin/env bash
# rv accept --local on the host's processor runs every suite, and names each kind of failure.
# shellcheck source=tests/accept/lib.sh
source "$(dirname "$0")/lib.sh"

accept() { "$RV" accept --local --device cpu --gpus-per-node 2 "$@"; }

exits 0 accept --report-dir "$work/report"
contains "the last lines" "passed: compute, memory, p2p, collective, train, ddp" "$out"
contains progress "collective" "$err"
report=$work/report/accept.json
says verdict 'd["verdict"] == "pass" and d["findings"] == []' "$report"
says suites '{"gemm", "bandwidth", "exact", "memory", "p2p", "collective", "train", "ddp"} <= {f["suite"] for f in d["figures"]}' "$report"
says values 'all(f["value"] > 0 for f in d["figures"] if f["suite"] in ("gemm", "collective"))' "$report"
[ -s "$work/report/accept.html" ] || fail "no page"
folder=$(echo "$RV_HOME"/accept/*-*)
[ "$(stat -c %a "$folder" "$folder/token" | tr '\n' ' ')" = "700 600 " ] || fail "the ranks' secret can be read by others"
! pgrep -f "$folder" >/dev/null || fail "processes are left: $(pgrep -af "$folder")"

# Judged again, against figures that no processor reaches.
model=$(python3 -c 'import json, sys; print([f["model"] for f in json.load(open(sys.argv[1]))["figures"] if f["name"] == "gemm_fp32"][0])' "$report")
printf -- '- gpu: "%s"\n  source: wishes\n  figures: [{figure: gemm_fp32, value: 1000, unit: TFLOP/s}]\n' "$model" >high.yaml
exits 1 "$RV" accept --judge "$folder" --baseline high.yaml
contains "the finding" "of the baseline 1000 (wishes)" "$out"
exits 0 "$RV" accept --judge "$folder" --save-baseline own.yaml
contains "the saved baseline" "figure: gemm_fp32" "$(<own.yaml)"
exits 125 "$RV" accept --judge "$folder" --baseline high.yaml --save-baseline bad.yaml
[ ! -e bad.yaml ] || fail "a failed acceptance became a baseline"
exits 2 "$RV" accept --judge "$folder" --baseline nowhere.yaml
contains "a file that is not there" "nowhere.yaml" "$err"
printf -- '- {gpu: x, figur: gemm_fp32}\n' >typo.yaml
exits 2 "$RV" accept --judge "$folder" --baseline typo.yaml
contains "an unknown key" 'did you mean "figure"' "$err"

# Without a GPU the default device is a skip, not a pass. RV_SKIP_REASON: no_gpu, or no_cuda_build where there was no nvcc.
exits 77 "$RV" accept --local --suite train
contains "no GPU" "$RV_SKIP_REASON" "$out"
exits 0 "$RV" accept --local --suite train --allow-skip

# Invalid arguments.
exits 2 accept --suite colective
contains "an unknown suite" 'did you mean "collective"' "$err"
exits 2 "$RV" accept --local --device cpu --gpus-per-node 1 --suite p2p
contains "one rank" "needs two GPUs" "$err"
exits 2 accept --quick --full
exits 2 "$RV" accept --local --nodes 2 --device cpu
contains "nodes without an allocation" "needs an allocation" "$err"
exits 122 "$RV" accept --judge nowhere
exits 2 "$RV" accept --history all
contains "no history" "no GPU has a history yet" "$err"

# Workers that fail in every way but the right one.
mkdir bad
for worker in health compute collective train; do printf '#!/bin/sh\nexit 0\n' >"bad/rv-$worker" && chmod +x "bad/rv-$worker"; done
exits 3 accept --worker-folder bad --suite compute
contains "no result" "compute ended with exit code 0 and without a result" "$out"
# shellcheck disable=SC2016 # the worker's own pid
printf '#!/bin/sh\necho "the driver is gone" >&2\nkill -SEGV $$\n' >bad/rv-compute
exits 3 accept --worker-folder bad --suite compute
contains "a signal" "was ended by signal 11; its last output: the driver is gone" "$out"
printf '#!/no/such/shell\n' >bad/rv-compute
exits 3 accept --worker-folder bad --suite compute
contains "no start" "could not be started (rv-compute does not exist" "$out"
rm bad/rv-train
exits 2 accept --worker-folder bad --suite compute
contains "a missing worker" "rv-train is missing" "$err"

# A dry run lists the steps and leaves nothing behind.
before=$(find "$RV_HOME/accept" | wc -l)
exits 0 accept --dry-run
contains steps "step p2p: rv-collective --device cpu --quick --local-ranks 2" "$out"
[ "$(find "$RV_HOME/accept" | wc -l)" -eq "$before" ] || fail "a dry run wrote something"
