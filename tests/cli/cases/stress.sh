#!/usr/bin/env bash
# rv stress requests the right GPUs from the cluster and passes its options to the worker.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
mkdir workers
printf '#!/bin/sh\n' > workers/rv-stress
chmod +x workers/rv-stress
exits 0 rv stress --cluster "$cluster" --worker-folder "$PWD/workers" -g 4 --dry-run --json
says JSON 'd["request"]["gpus"] == 4 and d["request"]["name"] == "stress" and d["request"]["time_s"] == 720' "$work/out"
runs rv stress --cluster "$cluster" --worker-folder "$PWD/workers" --launch 'python x.py' --launch-timeout 10m --time 1h --dry-run --json
says JSON 'd["request"]["time_s"] == 3600' "$work/out"
exits 2 rv stress --cluster "$cluster" --worker-folder "$PWD/workers" -g 4 --time 5m --duration 3h --dry-run
contains stderr '--time 5m must be longer than --duration 3h' "$err"
# Its words are the seed's: memory in MB, time in seconds.
exits 0 rv stress --local --worker-folder "$PWD/workers" --workers 8 --duration 120 --memory 512 --launch 'python x.py --a "b c"' --dry-run
contains stdout '--duration 120' "$out"
contains stdout '--workers 8 --memory 512' "$out"
contains stdout "-- bash -c 'python x.py --a \"b c\"'" "$out"
exits 2 rv stress --local --worker-folder "$PWD/nowhere" --dry-run
contains stderr 'rv-stress is missing' "$err"
exits 2 rv stress --launhc x
contains stderr 'did you mean "--launch"?' "$err"
exits 2 rv stress --ranks 4
contains stderr 'hint: write --workers N for the number of processes on each node' "$err"
# Its command as a document, where no plan is made.
exits 0 rv stress --local --worker-folder "$PWD/workers" --device cpu --dry-run --json
says JSON 'd["command"][0].endswith("rv-stress") and "--device" in d["command"]' "$work/out"
# What can't be written is known before anything runs.
exits 2 rv stress --local --worker-folder "$PWD/workers" --report-dir workers/rv-stress/x
contains stderr 'rv-stress is not a folder' "$err"
exits 2 rv stress --local --worker-folder "$PWD/workers" --junit nowhere/x.xml
contains stderr '--junit "nowhere/x.xml": expected a file in an existing folder' "$err"
exits 2 rv stress --local --worker-folder "$PWD/workers" --junit "$PWD"
contains stderr ': expected a file, not a folder' "$err"
exits 2 rv stress --local --worker-folder "$PWD/workers" --report-dir /proc/x
contains stderr "rv: error: --report-dir \"/proc/x\": /proc/x can't be made: " "$err"
exits 2 rv stress --local --worker-folder "$PWD/workers" --report-dir new/one --junit /proc/x
contains stderr "--junit \"/proc/x\": /proc can't be written to: " "$err"
[ ! -e new ] || fail "a folder was made for nothing"
exits 2 rv stress --local --worker-folder "$PWD/workers" --slots 4
contains stderr '--slots needs --hosts' "$err"
