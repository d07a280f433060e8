#!/usr/bin/env bash
# rv accept asks about the cluster once, also where the size of its nodes has to be known first.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
mkdir workers
for worker in health compute collective train; do
  printf '#!/bin/sh\n' > "workers/rv-$worker"
  chmod +x "workers/rv-$worker"
done
# Its help tells its own defaults, not those of rv run.
rv accept --help
for text in "GPUs in all (those of the nodes)" "on exactly N nodes (1)" "all or two-nodes (all)" "(30m; with --full 2h)"; do
  out_has "$text"
done
out_lacks '(2:59:00)'
out_lacks 'how many GPUs (1)'
# What comes on stdin can be read no second time.
rv accept --cluster - --workers "$PWD/workers" --dry-run --json < "$cluster"
expect_code 0
json "$scratch/out" 'd["request"]["gpus"] > 1 and d["request"]["nodes"] == 1 and d["request"]["time_s"] == 1800'
json "$scratch/out" 'all(s["gpus_per_node"] == d["request"]["gpus"] for s in d["strategies"]) and d["strategies"]'
whole=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["request"]["gpus"])' "$scratch/out")
rv accept --cluster "$cluster" --workers "$PWD/workers" --nodes 2 --dry-run --json
json "$scratch/out" "d['request']['gpus'] == 2 * $whole and d['request']['nodes'] == 2"
rv accept --cluster "$cluster" --workers "$PWD/workers" --gpus-per-node 1 --nodes 2 --time 1h --dry-run --json
json "$scratch/out" 'd["request"]["gpus"] == 2 and d["request"]["time_s"] == 3600 and d["request"]["splits"] == "all"'
rv accept --cluster "$cluster" --gpu 3 --nodes 2 --dry-run
expect_code 2
err_has '--gpu 3 is not divided evenly by 2 nodes'
rv accept --cluster "$cluster" --gpu 2 --gpus-per-node 2 --dry-run
expect_code 2
err_has '--gpu and --gpus-per-node say the same in two ways'
