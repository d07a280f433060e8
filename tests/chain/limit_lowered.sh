#!/usr/bin/env bash
# An administrator lowers the time limit of a segment that runs: Slurm's own signal warns it in time, and nothing is lost.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

export SAVE_EVERY=1000 # only what the warning saves counts
begin --checkpoint --time 4h --segment-time 2h --warn 10m -g 1 -t a40 --name lowered "$here/app.sh" 60
wait_real 60 test -s steps.0 || fail "does not begin: $(rv show lowered)"
scontrol update jobid="$(field lowered "['chain']['segments'][0]['job_id']")" TimeLimit=40
wait_real 200 over lowered || fail "not over: $(rv show lowered)"
equal "state" "done" "$(field lowered "['state']")"
equal "segments" "time_limit finished" "$(reasons lowered)"
each_step_once steps.0 60 || fail "steps: $(paste -sd' ' steps.0)"
