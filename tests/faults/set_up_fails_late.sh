#!/usr/bin/env bash
# A --requeue run hangs in the site's set-up on a node that Slurm gives up, and Slurm starts it again. Then the first start
# continues and fails in its set-up: the run does not end, and the second start runs the command.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

cat >>"$RV_SITE" <<END
setup:
  - 'if [ "\${SLURM_RESTART_COUNT:-0}" = 0 ]; then echo "\$\$ \$SLURM_JOB_ID \$SLURMD_NODENAME" >$work/first; until [ -e $work/go-on ]; do sleep 0.1; done; false; else touch $work/second; until [ -e $work/finish ]; do sleep 0.1; done; fi'
END
in_background rv run --requeue -g 2 --single-node --time 5m --name late -f bash -c 'echo ran >>runs; exit 6'
client=$!
wait_for 30 has_lines "$work/first" 1 || fail "does not start: $(rv show late)"
read -r script job node <"$work/first"
fault freeze "slurmd.$node"
wait_for 60 state_is late queued || fail "Slurm does not give it up: $(rv show late)"
scontrol update jobid="$job" starttime=now # and not in two minutes
wait_for 60 test -e "$work/second" || fail "Slurm does not start it again: $(rv show late)"
touch "$work/go-on"
thaw_family "$script"
ended() { ! kill -0 "$script" 2>/dev/null || [ "$(sed 's/.*) //; s/ .*//' "/proc/$script/stat")" = Z ]; }
wait_for 20 ended || fail "the first start's script does not end"
equal "exits on record" 0 "$(entries exit late | grep -c .)"
fault thaw "slurmd.$node"
touch "$work/finish"
code=0
wait "$client" || code=$?
equal "exit code" 6 "$code"
equal "executions" 1 "$(lines_in runs)"
