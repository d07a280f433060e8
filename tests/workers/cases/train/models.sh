#!/usr/bin/env bash
# Each model of rv-train trains, its results have the keys that users' scripts read, and samples are counted once.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

for model in resnet18 transformer; do
  exits 0 worker --device cpu --local-ranks 2 --model "$model" --image-size 16 --batch-size 2 --results results.json --json
  all_say report "[l['name'] for l in d[1:-1]] == ['$model fp32 batch 2' + end for end in ('', ' step p50', ' step p95', ' alone', ' alone')] + ['weights', 'work per step']" out
  all_say quantiles '[l["params"].get("quantile") for l in d[1:4]] == [None, 0.5, 0.95]' out
  all_say report 'all(l["value"] > 0 for l in d[1:6]) and [l["rank"] for l in d[4:6]] == [0, 1] and d[1]["params"]["samples_per_step"] == 4' out
  says "$model" 'd["world_size"] == 2 and d["batch_size_per_gpu"] == 2 and d["global_batch_size"] == 4 and
    d["total_samples"] == 4 * 3 and d["device"] == "cpu" and d["backend"] == "gloo"' results.json
  says "$model: rates and times" 'abs(d["throughput_samples_per_second"] * d["total_time_seconds"] - 12) < 1e-6 and
    abs(d["average_step_time_seconds"] * 3 - d["total_time_seconds"]) < 1e-9' results.json
  says "$model: it trains on two batches in turn, so the loss must fall" 'len(d["losses"]) == 4 and
    len(d["step_seconds_by_rank"]) == 2 and d["losses"][-1] < d["losses"][1]' results.json
  # The shares of the time are reported for every rank, add up to one, and are plausible.
  says "$model: shares" 'len(d["shares_by_rank"]) == len(d["alone_step_seconds_by_rank"]) == 2 and
    all(set(s) == {"compute", "input", "communication"} and abs(sum(s.values()) - 1) < 1e-9 and
        all(0 <= share <= 1 for share in s.values()) and s["compute"] > 0 for s in d["shares_by_rank"] + [d["shares"]])' results.json
  says "$model: what one run on the host can't tell" 'd["scaling_efficiency"] is None and d["load"] is None and
    d["throttled_seconds_by_rank"] == [None, None]' results.json
done
