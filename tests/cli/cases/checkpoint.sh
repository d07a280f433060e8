#!/usr/bin/env bash
# --time-min needs --checkpoint, is written into the script, and must leave time for the warning.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
run() { rv run --dry-run --cluster "$cluster" -g 2 -t a40 --time 12h "$@" true; }
exits 0 run --checkpoint --segment-time 2h --time-min 30m --json
says JSON 'all("#SBATCH --time-min=00:30:00\n" in s["script"] for s in d["strategies"])' "$work/out"
says JSON 'all(s["time_limit_s"] == 7200 for s in d["strategies"])' "$work/out"
runs run --checkpoint --segment-time 2h --json
says JSON 'not any("#SBATCH --time-min" in s["script"] for s in d["strategies"])' "$work/out"
exits 2 run --time-min 30m
equal stderr "rv: error: --time-min needs --checkpoint
hint: add --checkpoint if the command saves its state, or request a shorter --time" "$err"
exits 2 run --checkpoint --segment-time 2h --time-min 2h
contains stderr '--time-min 2h must be less than --segment-time 2h' "$err"
exits 2 run --checkpoint --segment-time 2h --time-min 10m --warn 5m --json
contains stderr 'a segment of 10m is too short: ' "$err"
contains stderr '--time-min' "$err"
exits 2 run --checkpoint --segment-time 2h --time-min soon
contains stderr '--time-min "soon"' "$err"
# What the run would be refused for the preview is refused for too, and the way out names the least that would do.
exits 2 run --checkpoint --segment-time 2m
contains stderr 'a segment of 2m is too short: ' "$err"
contains stderr 'use --segment-time 3m or more' "$err"
exits 0 run --checkpoint --segment-time 3m
exits 2 run --checkpoint --segment-time 20m --warn 15m
contains stderr 'use --segment-time 32m or more, or a shorter warning' "$err"
exits 0 run --checkpoint --segment-time 32m --warn 15m
