#!/usr/bin/env bash
# Repeats report the variation of the rates and the memory of each rank, and name the slowest rank with its host.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --gpus 2 --model transformer --repeats 3 --peak-tflops 2 --results results.json --json
says results 'd["world_size"] == 2 and len(d["samples_per_second_by_repeat"]) == 3 and d["total_samples"] == 2 * 4 * 3 * 3' results.json
says "the variation is that of three times" '(lambda t, by: abs(d["coefficient_of_variation"] - by.stdev(t) / by.mean(t)) < 1e-9)(
  [1 / rate for rate in d["samples_per_second_by_repeat"]], __import__("statistics"))' results.json
says memory 'd["peak_memory_source"] == "kernel" and all(5e6 < one < 1e10 for one in d["peak_memory_bytes_by_rank"])' results.json
says "who is slowest" 'd["slowest_rank"]["ratio"] >= 1 and d["slowest_rank"]["host"] and
  d["alone_step_seconds_by_rank"][d["slowest_rank"]["rank"]] == max(d["alone_step_seconds_by_rank"])' results.json
says "the share of the peak" 'abs(d["share_of_peak"] - d["model_flops_per_second_per_rank"] / 2e12) < 1e-12' results.json
says "the report has the same" '[json.loads(open("out").readlines()[1])["params"][key] for key in
  ("coefficient_of_variation", "slowest_rank", "peak_memory_bytes_by_rank")] ==
  [d[key] for key in ("coefficient_of_variation", "slowest_rank", "peak_memory_bytes_by_rank")]' results.json
exits 0 worker --device cpu --local-ranks 1 --model transformer --results results.json
says "without repeats" 'd["coefficient_of_variation"] is d["slowest_rank"] is d["share_of_peak"] is None' results.json
exits 2 worker --device cpu --gpus 2 --local-ranks 2
has_line stderr '(--gpus excludes --local-ranks|--local-ranks excludes --gpus)' "$err"
