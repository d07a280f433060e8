#!/usr/bin/env bash
# Neither accounting nor the restarted controller knows a cancelled job, and the client that follows the run was frozen
# meanwhile: the cancelled run is not submitted again.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

put_back() { accounting_answers || fault start slurmdbd; }
state=$(scontrol show config | sed -n 's/^StateSaveLocation *= //p')
busy=$(sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap "until [ -e $PWD/go ]; do sleep 0.2; done")
fault kill slurmdbd
in_background rv run -g 2 --time 5m --name frozen -f bash -c 'echo ran >>runs'
client=$!
wait_for 20 state_is frozen queued || fail "not queued: $(rv show frozen)"
wait_for 20 all_submitted frozen || fail "not all candidates have a job: $(rv show frozen)"
sleep 2 # the client sees them in the queue
kill -STOP "$client"
mapfile -t jobs < <(squeue -h --me -t PENDING -o '%i %j' | grep @ | cut -d' ' -f1)
scancel "${jobs[@]}"
forgotten() {
  local job
  for job in "${jobs[@]}"; do ! scontrol show job "$job" >/dev/null 2>&1 || return 1; done
}
wait_for 90 forgotten || fail "Slurm does not forget its jobs"
saved() {
  scontrol update jobid="$busy" comment="$RANDOM" # slurmctld does not save its state because of a forgotten job
  ! grep -aq "frozen@" "$state/job_state"
}
wait_for 60 saved || fail "the controller does not write down that it has forgotten them"
# Records that the controller has not sent to accounting yet are lost with it.
fault kill slurmctld
rm -f "$state"/dbd.messages*
fault start slurmdbd
wait_for 30 accounting_answers || fail "accounting does not come back"
fault start slurmctld
wait_for 30 controller_answers || fail "the controller does not come back"
# Another test may have had a job with this ID.
equal "accounting" "" "$(sacct -D -X -n -P -j "${jobs[0]}" -o JobName | grep frozen@ || true)"
kill -CONT "$client"
touch go
code=0
wait "$client" || code=$?
equal "exit code" 123 "$code"
wait_for 60 over frozen || fail "not over: $(rv show frozen)"
equal "attempts" "" "$(entries retry frozen)"
equal "executions" 0 "$(lines_in runs)"
