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
runs rv accept --help
for text in "GPUs in all (those of the nodes)" "on exactly N nodes (1)" "all or two-nodes (all)" "(30m; with --full 2h)"; do
  contains stdout "$text" "$out"
done
lacks stdout '(2:59:00)' "$out"
lacks stdout 'how many GPUs (1)' "$out"
# What comes on stdin can be read no second time.
exits 0 with_input "$cluster" rv accept --cluster - --workers "$PWD/workers" --dry-run --json
says JSON 'd["request"]["gpus"] > 1 and d["request"]["nodes"] == 1 and d["request"]["time_s"] == 1800' "$work/out"
says JSON 'all(s["gpus_per_node"] == d["request"]["gpus"] for s in d["strategies"]) and d["strategies"]' "$work/out"
whole=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["request"]["gpus"])' "$work/out")
runs rv accept --cluster "$cluster" --workers "$PWD/workers" --nodes 2 --dry-run --json
says JSON "d['request']['gpus'] == 2 * $whole and d['request']['nodes'] == 2" "$work/out"
runs rv accept --cluster "$cluster" --workers "$PWD/workers" --gpus-per-node 1 --nodes 2 --time 1h --dry-run --json
says JSON 'd["request"]["gpus"] == 2 and d["request"]["time_s"] == 3600 and d["request"]["splits"] == "all"' "$work/out"
exits 2 rv accept --cluster "$cluster" --gpu 3 --nodes 2 --dry-run
contains stderr '--gpu 3 is not divided evenly by 2 nodes' "$err"
exits 2 rv accept --cluster "$cluster" --gpu 2 --gpus-per-node 2 --dry-run
contains stderr '--gpu and --gpus-per-node say the same in two ways' "$err"
