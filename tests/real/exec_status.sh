#!/usr/bin/env bash
# rv exec and rv status work on a cluster that responds.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 rv exec pwd
equal folder "$work/project" "$out"
exits 7 rv exec bash -c 'exit 7'
exits 124 rv exec --timeout 1s sleep 30
exits 0 rv status
contains "no runs" "No runs under way" "$out"
contains "GPUs" "a100_80" "$out"
id=$(rv run --time 5m --name busy sleep 60 2>/dev/null)
exits 0 rv status
contains "the run" "$id" "$out"
exits 0 rv status --json
says "the run" 'd["runs"][0]["name"] == "busy" and d["gpus"]' "$work/out"
