#!/usr/bin/env bash
# Chains that must not continue: the command saves nothing, keeps crashing, or is stopped, or its time is used up.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

begin --checkpoint --time 3h --segment-time 20m --warn 6m -g 1 -t a40 --name idle sleep 100000
begin --checkpoint --time 3h --segment-time 2h --max-crashes 2 -g 1 -t a40 --name crashing \
  bash -c 'echo try >>tries; echo no such luck >&2; exit 9'
mkdir short stopped cancelled
(cd short && begin --checkpoint --time 40m --segment-time 20m --warn 6m -g 1 -t a40 --name short "$here/app.sh" 500)
(cd stopped && begin --checkpoint --time 3h --segment-time 20m --warn 6m -g 1 -t a40 --name stopped "$here/app.sh" 500)
(cd cancelled && begin --checkpoint --time 3h --segment-time 2h --warn 6m -g 1 -t a40 --name cancelled "$here/app.sh" 500)

wait_real 60 has_lines cancelled/steps.0 1 || fail "does not start: $(rv show cancelled)"
scancel "$(field cancelled "['chain']['segments'][0]['job_id']")"
wait_real 60 has_segments stopped 2 || fail "no second segment: $(rv show stopped)"
rv stop stopped >/dev/null 2>&1
for name in idle crashing short stopped cancelled; do
  wait_real 200 over "$name" || fail "$name is not over: $(rv show "$name")"
done
equal "idle" "failed time_limit" "$(field idle "['state']") $(reasons idle)"
contains "idle, in words" "saved nothing in RV_CHECKPOINT_DIR" "$(rv show idle)"
contains "idle, and what to do" "RV_CHECKPOINT_DIR" "$(rv why idle)"
equal "crashing" "failed 9 crashed crashed" "$(field crashing "['state']") $(field crashing "['exit_code']") $(reasons crashing)"
equal "tries" 2 "$(lines_in tries)"
equal "short" timeout "$(field short "['state']")"
contains "short, in words" "used up" "$(rv show short)"
equal "stopped" stopped "$(field stopped "['state']")"
equal "cancelled" "stopped cancelled" "$(field cancelled "['state']") $(reasons cancelled)"

# The one whose time was not enough, resumed by another run.
step=$(tail -n 1 short/steps.0 | cut -d' ' -f1)
(cd short && begin --checkpoint --checkpoint-from short --time 1h -g 1 -t a40 --name longer "$here/app.sh" $((step + 5)))
wait_real 200 over longer || fail "longer is not over: $(rv show longer)"
equal "longer" "done" "$(field longer "['state']")"
each_step_once short/steps.0 $((step + 5)) || fail "steps: $(tr '\n' ' ' <short/steps.0)"

# Nothing of a segment stays behind on its node: not the guard of one that began in the job of another, either.
nothing_left() { [ -z "$(with_environment "RV_HOME=$RV_HOME" slurm_script)" ]; }
wait_real 30 nothing_left || fail "left behind: $(ps -o pid,args -p "$(with_environment "RV_HOME=$RV_HOME" slurm_script | paste -sd,)")"
