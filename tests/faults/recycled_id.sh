#!/usr/bin/env bash
# Job IDs start again and another user gets the ID of an old run: rv neither mistakes that job for its own nor cancels it.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

rv run -g 1 --time 5m --name old bash -c 'echo x >ran; sleep 300' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
job=$(job_of old)
# It ends while nobody looks, as a rule without its own record (a TERM that comes first leaves one).
scancel --signal=KILL --full "$job"
forgotten() { ! scontrol show job "$1" >/dev/null 2>&1; }
# give_out_again ID: the counter goes round. Held jobs use the numbers up, and the stranger that gets the old number starts. Which
# number stands just before it can't be foreseen: the ID of a job that ended a moment later is still in use.
give_out_again() {
  local held=() tries stranger=""
  wait_for 90 forgotten "$1" || fail "Slurm does not forget job $1"
  for ((tries = 0; tries < 130; tries++)); do
    stranger=$(sbatch --parsable --hold -p urgent -J stranger -o /dev/null --wrap 'sleep 120')
    [ "$stranger" != "$1" ] || break
    held+=("$stranger")
  done
  equal "the stranger has the ID of the run's job" "$1" "$stranger"
  scancel "${held[@]}"
  scontrol release "$stranger"
  wait_for 30 is_running "$stranger" || fail "the stranger does not run: $(squeue)"
}
is_running() { [ "$(squeue -h -j "$1" -o %T)" = RUNNING ]; }
give_out_again "$job"
wait_for 60 over old || fail "not over: $(rv show old)"
[ "$(field old "['state']")" != running ] || fail "a stranger's job is taken for the run's"
rv stop old >/dev/null 2>&1 || true
rv stop --all >/dev/null 2>&1 || true
sleep 1 # a cancellation by mistake would show by then
equal "the stranger's state" RUNNING "$(squeue -h -j "$job" -o %T)"
scancel "$job"

# rv stop stalls between its look at the queue and the cancellation. Meanwhile the ID is given out again: what scancel is
# called with identifies the run's job, not only the number.
mkdir bin
printf '#!/bin/bash\ntouch "%s"\nuntil [ -e "%s" ]; do sleep 0.1; done\nexec "%s" "$@"\n' \
  "$work/called" "$work/go-on" "$(command -v scancel)" >bin/scancel
chmod +x bin/scancel
rm ran
rv run -g 1 --time 5m --name slow bash -c 'echo x >ran; sleep 300' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
job=$(job_of slow)
in_background env PATH="$PWD/bin:$PATH" "$RV" stop slow
stopping=$!
wait_for 30 test -e "$work/called" || fail "rv stop does not call scancel"
kill -STOP "$stopping"
scancel --signal=KILL --full "$job"
give_out_again "$job"
touch "$work/go-on"
kill -CONT "$stopping"
wait "$stopping" || true
sleep 1 # as above
equal "the state of the second stranger" RUNNING "$(squeue -h -j "$job" -o %T)"
