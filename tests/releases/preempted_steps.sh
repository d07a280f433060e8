#!/usr/bin/env bash
# On two nodes the TERM of a preemption's grace time reaches the steps but not the batch script, and no release of Slurm reports
# the job as preempted.
# shellcheck source=tests/releases/lib.sh
source "$(dirname "$0")/lib.sh"

cat >command.sh <<'END'
[ "$NODE_RANK" != 0 ] || echo ran >>"$1"
until [ "$(wc -l <"$1")" -ge 2 ]; do sleep 0.2; done
END

# It may run again: it does, whether this release requeues it or not.
: >again
: >once
rv run -g 4 --nodes 2 --partition scavenge --time 5m --name again --requeue bash command.sh again >/dev/null 2>&1
wait_for 30 has_lines again 1 || fail "does not start"
job=$(job_of again)
make_room "$job" 6
wait_for 30 waits "$job" || fail "not in the queue again: $(scontrol -o show job "$job")"
equal "state" queued "$(field again "['state']")"
start_now "$job"
wait_for 60 state_is again "done" || fail "state $(field again "['state']"): $(field again "['detail']")"
equal "executions" 2 "$(lines_in again)"

# It may not: it is over, and rv says why.
rv run -g 4 --nodes 2 --partition scavenge --time 5m --name once bash command.sh once >/dev/null 2>&1
wait_for 30 has_lines once 1 || fail "does not start"
make_room "$(job_of once)" 1
wait_for 40 state_is once preempted || fail "state $(field once "['state']"): $(field once "['detail']")"
equal "executions" 1 "$(lines_in once)"
contains "rv why" "a job with a higher priority preempted it" "$(rv why once)"
