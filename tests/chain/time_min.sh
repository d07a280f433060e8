#!/usr/bin/env bash
# --time-min lets a segment of two hours use a gap of eighty minutes before another job's start. Its warning comes before the
# end that it really got, and the next segment runs after the other job.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"
trap 'code=$(end_code "$?"); "$RV" stop --all >/dev/null 2>&1; scancel -n half,whole; drop_work "$code"; exit "$code"' EXIT
goes_on=yes

# Two of the node's four GPUs are taken for eighty minutes, and all of them are promised to the job after that.
gpus() { sbatch --parsable -J "$1" -p gpu-rtx3090 --gres="gpu:$2" --cpus-per-task=4 --mem=1G -t "$3" -o /dev/null --wrap "sleep $4"; }
half=$(gpus half 2 1:20:00 4800)
whole=$(gpus whole 4 0:15:00 600)
running() { [ "$(squeue -h -j "$1" -o %T)" = RUNNING ]; }
wait_real 30 running "$half" || fail "the first job does not run"

begin --checkpoint --time 6h --segment-time 2h --time-min 50m --warn 8m -g 2 -t rtx3090 --name gap "$here/app.sh" 70
wait_real 60 has_segments gap 1 || fail "no segment in the gap: $(squeue)"
equal "the job behind the gap" PENDING "$(squeue -h -j "$whole" -o %T)"
job=$(field gap "['chain']['segments'][0]['job_id']")
IFS=: read -r hours minutes _ <<<"$(scontrol -o show job "$job" | sed -n 's/.* TimeLimit=\([0-9:]*\) .*/\1/p')"
limit=$((10#$hours * 60 + 10#$minutes))
if [ "$limit" -lt 50 ] || [ "$limit" -gt 80 ]; then fail "a limit of $limit minutes"; fi

wait_real 240 over gap || fail "not over: $(rv show gap); $(squeue)"
equal "state" "done" "$(field gap "['state']")"
equal "segments" "time_limit finished" "$(reasons gap)"
each_step_once steps.0 70 || fail "steps: $(cut -d' ' -f1 steps.0 | tr '\n' ' ')"
one_after_the_other gap || fail "segments at once: $(rv show gap)"
[ "$(sacct -X -n -P -j "$job" -o State)" != TIMEOUT ] || fail "Slurm had to end it"
equal "the job behind the gap started when it should" 0 "$(SLURM_TIME_FORMAT=%s sacct -X -n -P -j "$half,$whole" -o Start,End | python3 -c '
import sys
half, whole = [[int(t) for t in row.split("|")] for row in sys.stdin.read().split()]
print(0 if whole[0] - half[1] < 600 else (half, whole))')"
