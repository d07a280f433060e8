#!/usr/bin/env bash
# A site whose compute nodes may not submit: the same job is requeued for the next segment.
# shellcheck source=tests/chain/lib.sh disable=SC2016 # what expands in the job stands in single quotes
source "$(dirname "$0")/lib.sh"

# What a job finds there instead of sbatch; the one that rv itself calls is the real one.
mkdir "$work/site"
printf '#!/bin/sh\necho "sbatch: error: Batch job submission failed: Access/permission denied" >&2\nexit 1\n' >"$work/site/sbatch"
chmod +x "$work/site/sbatch"
printf 'setup:\n  - PATH=%s:$PATH\n' "$work/site" >>"$RV_SITE"

rv run --checkpoint --time 2h --segment 30m --warn 5m -g 1 -t a40 --name refused "$here/app.sh" 40 >/dev/null 2>&1
wait_real 240 over refused || fail "not over: $(rv show refused); $(squeue)"
equal "state" "done" "$(field refused "['state']")"
each_step_once steps.0 40 || fail "steps: $(cut -d' ' -f1 steps.0 | tr '\n' ' ')"
one_after_the_other refused || fail "segments at once: $(rv show refused)"
contains "events" next_refused "$(rv show refused --json)"
jobs=$(field refused "['chain']['segments']" | python3 -c 'import ast,sys; print(len({s["job_id"] for s in ast.literal_eval(sys.stdin.read())}))')
equal "jobs" 1 "$jobs"
[ "$(segments refused)" -ge 2 ] || fail "only $(segments refused) segments"
