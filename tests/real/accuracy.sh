#!/usr/bin/env bash
# A run's predicted wait is stored once with the observed wait, and rv plan --accuracy summarises both.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

figure() { rv plan --accuracy --json | python3 -c "import json,sys; print(json.load(sys.stdin)$1)"; }

contains "before the first run" "None of your runs has started yet" "$(rv plan --accuracy)"
equal "runs before the first" 0 "$(figure '["runs"]')"

exits 0 rv run -g 1 -f --time 5m true
equal "runs" 1 "$(figure '["runs"]')"
equal "with a predicted wait" 1 "$(figure '["predicted"]')"
equal "within ten minutes" 1.0 "$(figure '["within_10_min"]')"
contains "text" "runs started            1" "$(rv plan --accuracy)"

# Polling again adds nothing; a run that never started is not counted.
rv ps -a >/dev/null
occupy gpu-v100 2 4 >/dev/null
rv run -g 4 -t v100 --name waits --time 5m true >/dev/null
rv stop waits >/dev/null
rv ps -a >/dev/null
equal "runs after looking again" 1 "$(figure '["runs"]')"
equal "lines" 1 "$(lines_in "$RV_HOME/waits.jsonl")"
equal "mode" 600 "$(stat -c %a "$RV_HOME/waits.jsonl")"

# The record outlives the run's folder.
rm -r "$RV_HOME"/runs/*
equal "runs without their folders" 1 "$(figure '["runs"]')"
