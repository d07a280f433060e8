#!/usr/bin/env bash
# Jobs that an ended run has left in the queue: rv stop, rv stop --all and any client that polls it cancel them.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 600' >/dev/null

# The user stops a run whose sbatch is under way, and the process that waits for its answer is killed.
mkdir slow
real=$(command -v sbatch)
cat >slow/sbatch <<SHIM
#!/bin/sh
touch "$PWD/began"
sleep 5
exec $real "\$@"
SHIM
chmod +x slow/sbatch
# leave_job NAME
leave_job() {
  rm -f began
  PATH="$PWD/slow:$PATH" rv run -g 2 --time 5m --name "$1" bash -c 'echo ran >>runs' >/dev/null 2>&1
  wait_for 20 test -e began || fail "sbatch is not called"
  all_of_rv | xargs -r kill -KILL
  equal "the stop" "stopped before it started" "$(rv stop "$1" | cut -d' ' -f2-)"
  wait_for 30 has_job "$1" || fail "sbatch's job is not in the queue: $(squeue)"
}
has_job() { squeue -h --me -t PENDING -o %j | grep -q "^$1@"; }
has_no_job() { ! has_job "$1"; }

leave_job named
contains "rv stop of a run that is over" "1 job that it had left in the queue is cancelled" "$(rv stop named)"
wait_for 10 has_no_job named || fail "the job is left: $(squeue)"
equal "rv stop once more" "was over already" "$(rv stop named | cut -d' ' -f2-)"

leave_job all
contains "rv stop --all" "1 job that it had left in the queue is cancelled" "$(rv stop --all)"
wait_for 10 has_no_job all || fail "the job is left: $(squeue)"

leave_job polled
rv ps -a >/dev/null
wait_for 10 has_no_job polled || fail "the job is left: $(squeue)"

# rv ps and rv status don't show runs that are over, and poll those that ended a moment ago all the same.
for command in ps status; do
  leave_job "by_$command"
  lacks "rv $command" "by_$command" "$(rv "$command" 2>&1)"
  wait_for 10 has_no_job "by_$command" || fail "rv $command leaves the job: $(squeue)"
done
equal "executions" 0 "$(lines_in runs)"
