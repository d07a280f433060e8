#!/usr/bin/env bash
# One candidate of a run preempts another candidate of the same run, at its start and after the command has started. The command
# runs once, rv reports the run correctly, and no job is left.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# In the jobs' PATH: an ln that waits before the claim, and a scancel that fails.
mkdir "$work/bin"
cat >"$work/bin/ln" <<END
#!/bin/sh
case "\$*" in *ledger*) while [ -e "$work/no_claim" ]; do sleep 0.1; done ;; esac
exec $(command -v ln) "\$@"
END
cat >"$work/bin/scancel" <<END
#!/bin/sh
[ ! -e "$work/no_cancel" ] || { echo "scancel: error: Unable to contact slurm controller" >&2 && exit 1; }
exec $(command -v scancel) "\$@"
END
chmod +x "$work"/bin/*
for _ in 1 2 3 4; do
  sbatch --parsable -J busy -p urgent --exclusive --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 600' >/dev/null
done
busy() { squeue -h --me -n busy -t RUNNING -o %A; }
all_busy() { [ "$(busy | wc -l)" = 4 ]; }
wait_for 30 all_busy || fail "the nodes are not full: $(squeue)"
# in_partition NAME PARTITION FORMAT: of the run's job there.
in_partition() { squeue -h --me -p "$2" -o "%j|$3" | sed -n "s/^$1@[^|]*|//p"; }
waits() { [ "$(in_partition "$1" gpu %T)$(in_partition "$1" scavenge %T)" = PENDINGPENDING ]; }
runs_in() { [ "$(in_partition "$1" "$2" %T)" = RUNNING ]; }
left_scavenge() { ! runs_in "$1" scavenge; }
# race NAME OPTION…: the candidate of scavenge starts on the only node that is not busy, the one of gpu is held.
race() {
  rm -f runs finish
  # shellcheck disable=SC2016 # expands in the job
  PATH=$work/bin:$PATH rv run -g 2 --single-node --partition gpu,scavenge --time 5m --name "$@" -- \
    bash -c 'echo "$SLURM_JOB_PARTITION" >>runs; until [ -e finish ]; do sleep 0.1; done; exit 6' >/dev/null 2>&1
  wait_for 30 waits "$1" || fail "$1 has no two candidates that wait: $(squeue)"
  scontrol hold "$(in_partition "$1" gpu %A)"
  command scancel "$(busy | head -n 1)"
  wait_for 30 runs_in "$1" scavenge || fail "$1 does not start in scavenge: $(squeue)"
}
# The sibling takes that node.
preempt() {
  scontrol release "$(in_partition "$1" gpu %A)"
  wait_for 30 left_scavenge "$1" || fail "$1 is not preempted: $(squeue)"
}
nothing_left() { ! squeue -h --me -o %j | grep -q "^$1@"; }
fill() {
  sbatch -J busy -p urgent --exclusive --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 600' >/dev/null
  wait_for 60 all_busy || fail "the node is not full again: $(squeue)"
}

# At its start, before it has the claim.
touch "$work/no_claim"
race start
preempt start
rm "$work/no_claim"
wait_for 60 has_lines runs 1 || fail "start: nothing is executed: $(rv show start)"
touch finish
wait_for 60 over start || fail "start is not over: $(rv show start)"
equal "start: end" "failed 6" "$(field start "['state']") $(field start "['exit_code']")"
equal "start: executions" 1 "$(lines_in runs)"
wait_for 30 nothing_left start || fail "start: jobs are left: $(squeue)"
fill

# With the command at work: its job could not cancel the sibling.
touch "$work/no_cancel"
race begun
wait_for 30 has_lines runs 1 || fail "begun: nothing is executed"
preempt begun
rm "$work/no_cancel"
wait_for 60 over begun || fail "begun is not over: $(rv show begun)"
equal "begun: end" "preempted None" "$(field begun "['state']") $(field begun "['exit_code']")"
equal "begun: executions" scavenge "$(<runs)"
wait_for 30 nothing_left begun || fail "begun: jobs are left: $(squeue)"
fill

# The same for a command that may be started again.
touch "$work/no_cancel"
race again --requeue
wait_for 30 has_lines runs 1 || fail "again: nothing is executed"
preempt again
rm "$work/no_cancel"
is_queued() { [ "$(in_partition again scavenge %T)" = PENDING ]; }
wait_for 60 is_queued || fail "again: the job is not in the queue: $(squeue)"
wait_for 30 state_is again queued || fail "again is not queued: $(rv show again)"
# slurmd refuses a start whose credential is not newer, in whole seconds, than the end of the start before it.
sleep 2
scontrol update jobid="$(in_partition again scavenge %A)" StartTime=now
wait_for 90 has_lines runs 2 || fail "again: is not executed again: $(rv show again; squeue)"
touch finish
wait_for 60 over again || fail "again is not over: $(rv show again)"
equal "again: end" "failed 6" "$(field again "['state']") $(field again "['exit_code']")"
equal "again: executions" "scavenge scavenge" "$(xargs <runs)"
wait_for 30 nothing_left again || fail "again: jobs are left: $(squeue)"
