#!/usr/bin/env bash
# rv accept times models on the CPU only if they are named: they run on every rank, and are judged and drawn.
# shellcheck source=tests/accept/lib.sh
source "$(dirname "$0")/lib.sh"

accept() { "$RV" accept --local --device cpu --gpus-per-node 2 "$@"; }

exits 0 accept --suite resnet18,transformer --report-dir report
contains "the last lines" "passed: resnet18, transformer" "$out"
report=$work/report/accept.json
says verdict 'd["verdict"] == "pass" and d["findings"] == [] and d["order"]["suites"] == ["resnet18", "transformer"]' "$report"
says together '{(f["name"], f["unit"]) for f in d["figures"] if f["suite"] == "model" and f["value"]} == {(m + " fp32 batch 4" + e, u) for m in ("resnet18", "transformer") for e, u in (("", "samples/s"), (" step p50", "ms"), (" step p95", "ms"))}' "$report"
says "each rank" '[f["params"]["rank"] for f in d["figures"] if f["name"] == "resnet18 fp32 batch 4 alone"] == [0, 1]' "$report"
says shares 'all(abs(sum(f["params"]["shares"].values()) - 1) < 1e-9 for f in d["figures"] if f["name"].endswith("batch 4"))' "$report"
says details 'all(f["params"]["scaling_efficiency"] > 0 and f["params"]["slowest_rank"]["ratio"] >= 1 and len(f["params"]["peak_memory_bytes_by_rank"]) == 2 for f in d["figures"] if f["name"].endswith("batch 4"))' "$report"
matches "the table" 'resnet18 fp32 batch 4 communication +[0-9.]+ +% *
.*resnet18 fp32 batch 4 scaling efficiency +[0-9.]+ +% *
resnet18 fp32 batch 4 memory +[0-9.]+ +GB *
resnet18 fp32 batch 4 slowest rank +1[0-9.]* +of the median, rank [01] on ' "$out"
for text in '<th class="n">scaling efficiency</th>' '<th class="n">slowest rank</th>' '<h3>resnet18 fp32 batch 4</h3>' '<h3>transformer fp32 batch 4</h3>' '<h4>Loss</h4>' '<h4>Throughput</h4>'; do
  contains "the page" "$text" "$(<report/accept.html)"
done
folder=$(echo "$RV_HOME"/accept/*-*)

# A single rank has no others to wait for; its own rate is the total.
exits 0 "$RV" accept --local --device cpu --gpus-per-node 1 --suite transformer --json
says "one rank" '[f["name"] for f in d["figures"]] == ["transformer fp32 batch 4" + e for e in ("", " step p50", " step p95")] + ["weights"]' "$work/out"

# Baselines: it passes its own, also if a little slower; it fails unreachable ones, and names the figure.
exits 0 "$RV" accept --judge "$folder" --save-baseline own.yaml
contains "a rate" "{figure: resnet18 fp32 batch 4, gpus: 2, value: " "$(<own.yaml)"
contains "a time" "{figure: resnet18 fp32 batch 4 step p95, gpus: 2, value: " "$(<own.yaml)"
lacks "no speed" "weights" "$(<own.yaml)"
grep -v alone own.yaml >together.yaml  # ranks share the processor, and one may have had less of it
exits 0 "$RV" accept --judge "$folder" --baseline together.yaml
model=$(python3 -c 'import json, sys; print([f["model"] for f in json.load(open(sys.argv[1]))["figures"] if f["name"] == "resnet18 fp32 batch 4"][0])' "$report")
printf -- '- gpu: "%s"\n  source: wishes\n  figures: [{figure: resnet18 fp32 batch 4, gpus: 2, value: 1e6, unit: samples/s}]\n' "$model" >high.yaml
exits 1 "$RV" accept --judge "$folder" --baseline high.yaml
matches "the finding" 'resnet18 fp32 batch 4 [0-9.]+ samples/s is 0.00 of the baseline 1000000 \(wishes\)' "$out"

# A rank that is slow is named, in a worker that makes it so.
mkdir slow
for worker in health compute collective; do ln -s "$(realpath "$(dirname "$RV")/../workers/rv-$worker")" slow; done
# shellcheck disable=SC2016 # expands in the worker
printf '#!/bin/sh\nexec %q "$@" --batch-size 1 --sequence 3 --inject slow@1:500\n' "$(realpath "$(dirname "$RV")/../workers/rv-train")" >slow/rv-train
chmod +x slow/rv-train
exits 1 accept --worker-folder "$PWD/slow" --suite transformer
matches "who is slow" 'fail .* rank 1: work per step: rank 1 \(host .*\) took ' "$out"

# None of them runs by default; a dry run lists those that would run.
exits 0 accept --dry-run
lacks "a model that nobody named" "--model" "$out"
exits 0 accept --suite resnet50 --dry-run
contains step "step resnet50: rv-train --device cpu --quick --local-ranks 2 --deadline 180 --model resnet50" "$out"
exits 0 "$RV" accept --local --gpus-per-node 4 --suite resnet50,resnet18,transformer --dry-run
for words in "resnet18 --batch-size 128" "resnet50 --batch-size 64" "transformer --batch-size 32"; do
  contains "sizes on GPUs" "--model $words" "$out"
done
exits 2 accept --suite resnet5
contains "nearly a suite" 'did you mean "resnet50"' "$err"
contains "all of them" "memory, p2p, collective, train, ddp, resnet18, resnet50, transformer, io" "$err"
exits 0 "$RV" accept --help
contains help "resnet18, resnet50, transformer (timed networks)" "$(tr -s ' \n' ' ' <<<"$out")"
