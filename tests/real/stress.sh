#!/usr/bin/env bash
# rv stress through Slurm on one node and on two: judged at once, judged later, and rejected by Slurm.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

stress() { rv stress --device cpu --duration 1s -t a40 --time 5m "$@"; }

# No GPU of the sandbox has a driver: without --device cpu that is a skip.
exits 77 rv stress -g 1 -t a40 --time 5m
contains "no GPU" "no GPU: " "$out"

exits 0 stress -g 1 --workers 3 --name one --junit junit.xml --json
printf '%s' "$out" >one.json
says "workers" 'len(d["nodes"]) == 1 and [w["end"] for w in d["nodes"][0]["workers"]] == ["done"] * 3' one.json
[ -s junit.xml ] || fail "no JUnit XML"
equal "pages in the runs' folders" 2 "$(find "$RV_HOME/runs" -path '*/stress/stress.html' -size +1k | wc -l)"

# A supervisor on each node, and all of them count.
exits 0 stress -g 2 --nodes 2 --workers 2 --json
printf '%s' "$out" >two.json
says "two nodes" 'len({n["node"] for n in d["nodes"]}) == 2 and d["success"] == {"passed": 4, "of": 4, "percent": 100.0, "least_percent": 80.0}' two.json

# A fault on the node is named here; the user's launcher runs there, in this folder.
# shellcheck disable=SC2016 # expanded on the node
printf '#!/bin/sh\necho "Using GPUs: none on $(hostname)"; touch launched\n' >launch.sh
exits 126 stress -g 1 --skip-stress --launch ./launch.sh
contains "refused" "--launch: ./launch.sh can't be executed" "$err"
chmod +x launch.sh
exits 1 stress -g 1 --workers 2 --inject die@1:1 --launch ./launch.sh
contains "the fault" "worker 1: was killed by signal 9" "$out"
contains "the launcher" "good line 1: Using GPUs: none on" "$out"
[ -e launched ] || fail "the launcher did not run in this folder"

# Detached, and judged when it is over.
exits 0 stress -g 1 --workers 2 --detach --json
says "the run" 'd["name"] == "stress" and d["state"]' "$work/out"
run=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["id"])' <"$work/out")
exits 0 rv wait "$run"
exits 0 rv stress --judge "$run"
contains "judged" "workers that passed: 2 of 2" "$out"
exits 4 stress -g 1 --memory 1T --junit junit.xml
contains "JUnit" '<error message="2 workers on the host need' "$(<junit.xml)"
contains "needed and free" "2 workers on the host need 6597069766656 bytes, but " "$err"
exits 127 stress -g 1 --skip-stress --launch 'no-such-launcher --x'
contains "no launcher" "--launch: no-such-launcher: no such program" "$err"

# One that continues is neither good nor bad yet, and keeps what it has.
exits 0 rv stress --device cpu -t a40 -g 1 --duration 60s --time 5m --detach
run=$(<"$work/out")
working() { [ "$(field "$run" '["state"]')" = running ]; }
wait_for 30 working || fail "it does not begin"
exits 3 rv stress --judge "$run" --cleanup --junit junit.xml
contains "it goes on" "error  $run: the run is not over" "$out"
lacks "it goes on" fail "$out"
lacks "it goes on" "<failure" "$(<junit.xml)"
exits 3 rv stress --judge "$run" --json
says "it goes on" 'd["verdict"] == "error" and d["exit_code"] == 3 and len(d["findings"]) == 1' "$work/out"
[ -d "$RV_HOME/runs/$run/stress/reports" ] || fail "--cleanup took the reports of a run that goes on"
exits 0 rv stop "$run"

# Its progress is visible: the worker's output everywhere, a live line on a terminal.
exits 0 stress -g 1 --workers 2 --launch true
contains "the worker's words" "2 workers for 1.25 s" "$err"
contains "the worker's words" "launch cpu" "$err"
lacks "no terminal" "working, " "$err"
TERM=xterm script -qec "'$RV' stress -g 1 -t a40 --time 5m --device cpu --duration 4s --reference 0" /dev/null >terminal </dev/null
contains "on a terminal" "s of about 4s  (Ctrl-C leaves it running)" "$(<terminal)"

# Less time than the workers take.
exits 2 rv stress -g 1 --time 5m --duration 3h
contains "no time" "--time 5m must be longer than --duration 3h" "$err"
contains "no time" "remove --time" "$err"
exits 0 stress -g 2 --dry-run
contains "the strategies" "gpu-a40" "$out"
