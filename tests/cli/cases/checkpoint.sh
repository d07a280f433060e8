#!/usr/bin/env bash
# --time-min belongs to work that can be cut short; it stands in the script, and leaves room for the warning.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
run() { rv run --dry-run --cluster "$cluster" -g 2 -t a40 --time 12h "$@" true; }
run --checkpoint --segment 2h --time-min 30m --json
expect_code 0
json "$scratch/out" 'all("#SBATCH --time-min=00:30:00\n" in s["script"] for s in d["strategies"])'
json "$scratch/out" 'all(s["time_limit_s"] == 7200 for s in d["strategies"])'
run --checkpoint --segment 2h --json
json "$scratch/out" 'not any("#SBATCH --time-min" in s["script"] for s in d["strategies"])'
run --time-min 30m
expect_code 2
expect_err "rv: error: --time-min lets Slurm cut the command short, which without --checkpoint it can't go on from
hint: add --checkpoint for a command that saves its state, or ask for less with --time"
run --checkpoint --segment 2h --time-min 2h
expect_code 2
err_has '--time-min 2h is not below --segment 2h'
run --checkpoint --segment 2h --time-min 10m --warn 5m --json
expect_code 2
err_has 'a segment of 10m leaves no time to work'
err_has '--time-min'
run --checkpoint --segment 2h --time-min soon
expect_code 2
err_has '--time-min: "soon"'
# What the run would be refused for the preview is refused for too, and the way out names the least that would do.
run --checkpoint --segment 2m
expect_code 2
err_has 'a segment of 2m leaves no time to work'
err_has 'give it --segment 3m at least'
run --checkpoint --segment 3m
expect_code 0
run --checkpoint --segment 20m --warn 15m
expect_code 2
err_has 'give it --segment 32m at least, or a shorter warning'
run --checkpoint --segment 32m --warn 15m
expect_code 0
