#!/usr/bin/env bash
# A run that may be requeued ends in the grace time of a preemption: it stays ended, although newer releases of Slurm start its
# job again.
# shellcheck source=tests/releases/lib.sh
source "$(dirname "$0")/lib.sh"

cat >command.sh <<'END'
echo ran >>runs
until [ -e end ]; do sleep 0.2; done
END
rv run -g 2 --single-node --partition scavenge --time 5m --name short --requeue bash command.sh >/dev/null 2>&1
wait_for 30 has_lines runs 1 || fail "does not start"
job=$(job_of short)
make_room "$job" 3
touch end
# No rv looks until Slurm has done what it does.
if since 24.05; then
  wait_for 30 waits "$job" || fail "this release does not requeue: $(scontrol -o show job "$job")"
  start_now "$job"
fi
wait_for 60 no_job_alive "$job" || fail "the job is still there: $(squeue -h)"
! since 24.05 || contains "Slurm's count" " Restarts=1 " "$(scontrol -o show job "$job")"
equal "executions" 1 "$(lines_in runs)"
equal "state" "done" "$(field short "['state']")"
equal "exit code" 0 "$(field short "['exit_code']")"
