# What every fault test starts with: that of the tests on the real Slurm, and faults.
# shellcheck shell=bash
# shellcheck source=tests/real/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../real/lib.sh"

# fault kill|start|power-off DAEMON
fault() { "$root/examples/sandbox/sandbox" daemon "$1" "$2" --dir "$RV_SANDBOX_DIR"; }

state_is() { [ "$(field "$1" "['state']" 2>/dev/null)" = "$2" ]; }
over() { [ "$(field "$1" "['over']" 2>/dev/null)" = True ]; }
# client_ended PID CODE OUTPUT: the client that follows says so, and the command, which writes to ./runs, ran once.
client_ended() {
  local code=0
  wait "$1" || code=$?
  equal "exit code" "$2" "$code"
  equal "output" "$3" "$(<"$work/out")"
  equal "executions" 1 "$(lines_in runs)"
}
job_of() { field "$1" "['candidates'][0]['job_id']"; }
controller_answers() { timeout 5 squeue -h >/dev/null 2>&1; }
accounting_answers() { timeout 5 sacctmgr -n show cluster >/dev/null 2>&1; }
all_nodes_idle() { [ "$(sinfo -h -N -o %t | sort -u)" = idle ]; }

# Whatever a test broke is whole again for the next one.
mend() {
  local node
  controller_answers || fault start slurmctld
  wait_for 30 controller_answers || true
  accounting_answers || fault start slurmdbd
  for node in $(sinfo -h -N -o %N | sort -u); do
    pgrep -f "slurmd -D -N $node\$" >/dev/null || fault start "slurmd.$node"
  done
  scontrol update nodename=ALL state=resume >/dev/null 2>&1 || true
  wait_for 60 all_nodes_idle || echo "not all nodes are idle again: $(sinfo -N)"
}
