#!/usr/bin/env bash
# Job IDs begin again: a stranger gets the ID of an old run. rv takes it neither for its own, nor ends it.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

rv run -g 1 --time 5m --name old bash -c 'echo x >ran; sleep 300' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
job=$(job_of old)
# It ends while nobody looks, as a rule without a record of its own (a TERM that comes first leaves one).
scancel --signal=KILL --full "$job"
forgotten() { ! scontrol show job "$job" >/dev/null 2>&1; }
wait_for 90 forgotten || fail "Slurm does not forget job $job"
# The counter goes round: held jobs use the numbers up, and the one that gets the old number starts. Which number stands
# just before it can't be foreseen: the ID of a job that ended a moment later is still in use.
held=()
stranger=
for ((tries = 0; tries < 130; tries++)); do
  stranger=$(sbatch --parsable --hold -p urgent -J stranger -o /dev/null --wrap 'sleep 120')
  [ "$stranger" != "$job" ] || break
  held+=("$stranger")
done
equal "the stranger has the ID of the old run's job" "$job" "$stranger"
scancel "${held[@]}"
scontrol release "$stranger"
is_running() { [ "$(squeue -h -j "$stranger" -o %T)" = RUNNING ]; }
wait_for 30 is_running || fail "the stranger does not run: $(squeue)"
wait_for 60 over old || fail "not over: $(rv show old)"
[ "$(field old "['state']")" != running ] || fail "a stranger's job is taken for the run's"
rv stop old >/dev/null 2>&1 || true
rv stop --all >/dev/null 2>&1 || true
sleep 1
equal "the stranger's state" RUNNING "$(squeue -h -j "$stranger" -o %T)"
