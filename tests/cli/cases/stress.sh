#!/usr/bin/env bash
# rv stress: what is asked of the cluster, and what its worker is told.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
mkdir workers
printf '#!/bin/sh\n' > workers/rv-stress
chmod +x workers/rv-stress
rv stress --cluster "$cluster" --worker-folder "$PWD/workers" -g 4 --dry-run --json
expect_code 0
json "$scratch/out" 'd["request"]["gpus"] == 4 and d["request"]["name"] == "stress" and d["request"]["time_s"] == 720'
rv stress --cluster "$cluster" --worker-folder "$PWD/workers" --launch 'python x.py' --launch-timeout 10m --time 1h --dry-run --json
json "$scratch/out" 'd["request"]["time_s"] == 3600'
# Its words are the seed's: memory in MB, time in seconds.
rv stress --local --worker-folder "$PWD/workers" --workers 8 --duration 120 --memory 512 --launch 'python x.py --a "b c"' --dry-run
expect_code 0
out_has '--duration 120'
out_has '--workers 8 --memory 512'
out_has "-- bash -c 'python x.py --a \"b c\"'"
rv stress --local --worker-folder "$PWD/nowhere" --dry-run
expect_code 2
err_has 'rv-stress is not there'
rv stress --launhc x
expect_code 2
err_has 'did you mean "--launch"?'
# Its command as a document, where no plan is made.
rv stress --local --worker-folder "$PWD/workers" --device cpu --dry-run --json
expect_code 0
json "$scratch/out" 'd["command"][0].endswith("rv-stress") and "--device" in d["command"]'
# What can't be written is known before anything runs.
rv stress --local --worker-folder "$PWD/workers" --report-dir workers/rv-stress/x
expect_code 2
err_has 'rv-stress is no folder'
rv stress --local --worker-folder "$PWD/workers" --junit nowhere/x.xml
expect_code 2
err_has '--junit nowhere/x.xml: its folder is not there'
rv stress --local --worker-folder "$PWD/workers" --slots 4
expect_code 2
err_has '--slots is of --hosts, and there is none'
