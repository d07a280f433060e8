#!/usr/bin/env bash
# Job IDs start again, a run gets the ID of a cancelled run's job, and the controller restarts: the cancelled run is not
# submitted again, and the other run keeps its job.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap "until [ -e $PWD/go ]; do sleep 0.2; done" >/dev/null
spacer=$(sbatch --parsable --hold -p urgent -J spacer -o /dev/null --wrap true)
rv run -g 1 --partition gpu --time 5m --name gone 'echo gone >>runs' >/dev/null 2>&1
job=$(job_of gone)
equal "the number before it" $((job - 1)) "$spacer"
scancel "$spacer" "$job" # past rv, and nobody looks until Slurm has forgotten both
forgotten() { ! scontrol show job "$job" >/dev/null 2>&1 && ! scontrol show job "$spacer" >/dev/null 2>&1; }
wait_for 90 forgotten || fail "Slurm does not forget job $job"
# Held jobs use the numbers up, to the one before.
held=()
last=0
for ((tries = 0; tries < 130 && last != job - 1; tries++)); do
  last=$(sbatch --parsable --hold -p urgent -J held -o /dev/null --wrap true)
  held+=("$last")
done
rv run -g 1 --partition gpu --time 5m --name new 'echo new >>runs' >/dev/null 2>&1
equal "the ID of both" "$job" "$(job_of new)"
scancel "${held[@]}"

# One that the controller forgets with its state is another test (forgotten.sh).
state=$(scontrol show config | sed -n 's/^StateSaveLocation *= //p')
saved() { grep -aq "new@" "$state/job_state"; }
wait_for 30 saved || fail "the controller does not write down the new job"
fault kill slurmctld
fault start slurmctld
wait_for 30 controller_answers || fail "the controller does not come back"
for ((i = 0; i < 12; i++)); do rv ps -a >/dev/null 2>&1 && sleep 1; done
wait_for 60 over gone || fail "gone is not over: $(rv show gone)"
equal "the cancelled run" stopped "$(field gone "['state']")"
equal "the other one" "queued $job" "$(field new "['state']") $(job_of new)"
touch go
wait_for 60 over new || fail "new is not over: $(rv show new)"
equal "the other one" "done $job" "$(field new "['state']") $(job_of new)"
equal "started" new "$(paste -sd' ' runs)"
equal "attempts" "" "$(entries retry gone)$(entries retry new)"
