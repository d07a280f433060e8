#!/usr/bin/env bash
# --after where compute nodes may not submit: the job requeues itself and holds no GPUs while it waits. If Slurm does not
# requeue it either, the run ends with a recorded reason.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

over() { [ "$(field "$1" "['over']")" = True ]; }
ends() { wait_for "$2" over "$1" || fail "$1 is not over: $(rv show "$1")"; }
job_of() { field "$1" "['candidates'][0]['job_id']"; }
waits() { [ "$(squeue -h -j "$1" -o %r)" = Dependency ]; }
went_back() { [[ "$(scontrol show job "$1")" =~ Restarts=1 ]] && [ "$(squeue -h -j "$1" -o %T)" = PENDING ]; }

# Before the real sbatch and scontrol: a site whose nodes may not submit, and may not requeue.
mkdir "$work/bin"
printf '#!/bin/sh\n[ ! -e "%s" ] || { echo "sbatch: error: Batch job submission failed: Access/permission denied" >&2; exit 1; }\nexec %s "$@"\n' \
  "$work/no_sbatch" "$(command -v sbatch)" >"$work/bin/sbatch"
printf '#!/bin/sh\n[ ! -e "%s" ] || [ "$1" != requeue ] || { echo "Job requeue is disabled" >&2; exit 1; }\nexec %s "$@"\n' \
  "$work/no_requeue" "$(command -v scontrol)" >"$work/bin/scontrol"
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH

# follow NAME: a run behind "moving", whose job starts while that run is under way.
follow() {
  rv run -g 1 --type a40 --time 20m --name "$1" --after moving 'touch began; until [ -e leave ]; do sleep 0.1; done; echo behind >>moves' >/dev/null 2>&1
  wait_for 20 waits "$(job_of "$1")" || fail "no dependency: $(squeue)"
  touch "$work/no_sbatch"
  scontrol update jobid="$(job_of "$1")" dependency=
}

touch hold
rv run -g 1 --type a40 --time 20m --name moving 'while [ -e hold ]; do sleep 0.2; done; echo moved >>moves' >/dev/null 2>&1
follow behind
behind=$(job_of behind)
wait_for 60 went_back "$behind" || fail "it does not go back: $(rv show behind)"
equal "state" queued "$(field behind "['state']")"
equal "its job" "$behind" "$(job_of behind)"

# Where its job may not be requeued.
rm "$work/no_sbatch"
touch "$work/no_requeue"
follow never
ends never 90
equal "state" stopped "$(field never "['state']")"
contains "detail" "Slurm did not requeue the job: sbatch: error: Batch job submission failed" "$(field never "['detail']")"
contains "rv why" "unqueued" "$(rv why never --json)"

rm hold
ends moving 60
# Slurm delays the start of a requeued job by two minutes.
soon() { scontrol update jobid="$behind" starttime=now 2>/dev/null; [ -e began ]; }
wait_for 180 soon || fail "it does not begin: $(squeue) $(rv show behind)"
contains "its job" "Requeue=0" "$(scontrol show job "$behind")"
touch leave
ends behind 60
equal "order" "moved behind" "$(paste -sd' ' moves)"
equal "state" "done" "$(field behind "['state']")"
