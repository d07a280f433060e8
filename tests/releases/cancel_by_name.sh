#!/usr/bin/env bash
# scancel with an ID, a name and a user cancels a job only if all three match, also for arrays and renamed jobs. rv relies on
# this because job IDs are reused.
# shellcheck source=tests/releases/lib.sh
source "$(dirname "$0")/lib.sh"

job() { sbatch --parsable --hold -o /dev/null "$@" --wrap 'sleep 60'; }
cancel() { scancel --ctld --user="$UID" --name="$1" "${@:2}" 2>/dev/null || true; }

own=$(job -J "x@k3f9x2.1")
other=$(job -J stranger)
array=$(job -J "x@k3f9x2.1" --array=1-3)
renamed=$(job -J "x@k3f9x2.1")
scontrol update jobid="$renamed" jobname=renamed
cancel "x@k3f9x2.1" "$own" "$other" "$array" "$renamed"
for id in "$own" "$array"; do wait_for 10 no_job_alive "$id" || fail "job $id stays: $(squeue)"; done
equal "the stranger's job" PENDING "$(job_state "$other")"
equal "a job of another name" PENDING "$(job_state "$renamed")"
cancel renamed "$renamed"
wait_for 10 no_job_alive "$renamed" || fail "the renamed job stays: $(squeue)"
