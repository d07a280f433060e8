#!/usr/bin/env bash
# A waiting race is cancelled with scancel while slurmdbd is away, and the controller forgets its jobs before it has sent their ends.
# Accounting still has them as pending when it comes back: the race is not submitted again, and its run was cancelled.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

put_back() { accounting_answers || fault start slurmdbd; }
sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap "until [ -e $PWD/go ]; do sleep 0.2; done" >/dev/null
rv run -g 2 --time 5m --name cancelled 'echo ran >>runs' >/dev/null 2>&1 || fail "does not start"
wait_for 20 state_is cancelled queued || fail "not queued: $(rv show cancelled)"
wait_for 20 all_submitted cancelled || fail "not all candidates have a job: $(rv show cancelled)"
mapfile -t jobs < <(squeue -h --me -t PENDING -o '%i %j' | grep @ | cut -d' ' -f1)
[ "${#jobs[@]}" -gt 0 ] || fail "no jobs: $(squeue)"
in_accounting() {
  local job
  for job in "${jobs[@]}"; do [ "$(sacct -X -n -P -j "$job" -o State)" = PENDING ] || return 1; done
}
wait_for 30 in_accounting || fail "accounting does not have them: $(sacct)"
fault kill slurmdbd
scancel "${jobs[@]}"
forgotten() {
  local job
  for job in "${jobs[@]}"; do ! scontrol show job "$job" >/dev/null 2>&1 || return 1; done
}
wait_for 90 forgotten || fail "Slurm does not forget its jobs"
fault start slurmdbd
wait_for 30 accounting_answers || fail "accounting does not come back"
# The controller tries again about every ten seconds.
is_over() { over cancelled; }
wait_for 60 is_over || fail "not over: $(rv show cancelled)"
equal "state" stopped "$(field cancelled "['state']")"
equal "attempts" "" "$(entries retry cancelled)"
touch go
equal "executions" 0 "$(lines_in runs)"
