#!/usr/bin/env bash
# With --speed 60 the daemons, the jobs and the commands of separate shells share one clock that is 60 times as fast. The
# margins allow for a busy machine, where a step takes three real seconds (three minutes on that clock). A clock that is not
# shared would be behind by the time since the start, at least four minutes.
. "$(dirname "$0")/lib.sh"

# between LOW HIGH NUMBER WHAT
between() { (($3 >= $1 && $3 <= $2)) || fail "$4: $3, not within $1 and $2"; }

up a --shape tiny --speed 60
between 0 1200 $(($(on a date +%s) - $(date +%s))) "seconds that the clock is ahead soon after the start"

first=$(on a date +%s) began=$EPOCHREALTIME
sleep 6 # both clocks are compared over this time
second=$(eval "$("$sandbox" env --dir "$work/a")" && date +%s) ended=$EPOCHREALTIME
real_ms=$(((${ended/./} - ${began/./}) / 1000))
between $((real_ms * 50 / 1000)) $((real_ms * 70 / 1000)) $((second - first)) "fast seconds in $real_ms real ms"

# The job's clock comes from the cluster, not from its submitter.
before=$(on a date +%s) began=$SECONDS
job=$(on a sbatch --parsable --export=NONE --output="$work/out" --wrap 'date +%s; sleep 60; date +%s')
eventually COMPLETED on a sacct -X -n -P -j "$job" -o State
between 0 20 $((SECONDS - began)) "real seconds for a job of 60"
between 58 600 "$(on a sacct -X -n -P -j "$job" -o ElapsedRaw)" "its seconds in the accounting"
start=$(on a env SLURM_TIME_FORMAT=%s scontrol show job "$job" | grep -o 'StartTime=[0-9]*' | cut -d= -f2)
between -1 230 $((start - before)) "seconds from the submission to the controller's start time"
read -r inside <"$work/out"
between -1 230 $((inside - start)) "seconds from the controller's start time to the job's own clock"

clock=$(<"$work/a/clock-name")
[[ -e /dev/shm/$clock ]] || fail "the clock is not where the next line looks for it"
"$sandbox" down --dir "$work/a" >/dev/null
equal "what is left of the clock" "" "$(find /dev/shm -name "*$clock*")"
