# Sourced by every fault test: includes the library of the tests on the real Slurm, and adds functions that cause faults.
# shellcheck shell=bash
# shellcheck source=tests/real/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../real/lib.sh"

# fault kill|start|power-off|freeze|thaw DAEMON
fault() { "$root/examples/sandbox/sandbox" daemon "$1" "$2" --dir "$RV_SANDBOX_DIR"; }

# give_up NODE: sets the node down, as Slurm itself would do after half a minute.
give_up() { scontrol update nodename="$1" state=down reason=lost; }

state_is() { [ "$(field "$1" "['state']" 2>/dev/null)" = "$2" ]; }
# One after the other: if the last candidate has a job, all have.
all_submitted() {
  local last
  last=$(field "$1" "['candidates'][-1]['job_id']" 2>/dev/null) && [ "$last" != None ]
}
over() { [ "$(field "$1" "['over']" 2>/dev/null)" = True ]; }
# client_ended PID CODE OUTPUT: the following client ends with this code and output, and the command, which writes to ./runs, ran once.
client_ended() {
  local code=0
  wait "$1" || code=$?
  equal "exit code" "$2" "$code"
  equal "output" "$3" "$(<"$work/out")"
  equal "executions" 1 "$(lines_in runs)"
}
# entries KIND NAME: of the run's ledger, one a line.
entries() { cat "$(field "$2" "['run_folder']")"/ledger/[0-9]* 2>/dev/null | grep "^$1 " || true; }
job_of() { field "$1" "['candidates'][0]['job_id']"; }
controller_answers() { timeout 5 squeue -h >/dev/null 2>&1; }
accounting_answers() { timeout 5 sacctmgr -n show cluster >/dev/null 2>&1; }
# Accounting counts as just asked, so that nothing is learned from it. The lock that says so has a name of the cluster's: one comes
# with what learns behind a plan.
count_as_asked() {
  RV_HOME=$work/other rv plan -g 1 --time 5m >/dev/null
  wait_for 20 other_learns || fail "nothing learns from accounting"
  mkdir -p "$RV_HOME/history"
  touch "$RV_HOME/history/$(basename "$work"/other/history/*.lock)"
}
other_learns() { compgen -G "$work/other/history/*.lock" >/dev/null; }
all_nodes_idle() { [ "$(sinfo -h -N -o %t | sort -u)" = idle ]; }

# The daemon of a node. Other sandboxes of this machine have nodes of the same names.
pid_of_slurmd() {
  local pid
  for pid in $(pgrep -f "slurmd -D -N $1\$"); do
    ! readlink "/proc/$pid/fd"/* 2>/dev/null | grep -qxF "$RV_SANDBOX_DIR/log/slurmd.$1.log" || { echo "$pid" && return; }
  done
  return 1
}
slurmd_runs() { pid_of_slurmd "$1" >/dev/null; }

# Whatever a test broke is whole again for the next one.
mend() {
  local node
  controller_answers || fault start slurmctld
  wait_for 30 controller_answers || true
  accounting_answers || fault start slurmdbd
  for node in $(sinfo -h -N -o %N | sort -u); do
    fault thaw "slurmd.$node"
    slurmd_runs "$node" || fault start "slurmd.$node"
  done
  scontrol update nodename=ALL state=resume >/dev/null 2>&1 || true
  wait_for 60 all_nodes_idle || echo "not all nodes are idle again: $(sinfo -N)"
}

# thaw_family PID: lets a frozen process and all below it continue, such as a job's script below a slurmd that stays frozen.
thaw_family() {
  local child
  kill -CONT "$1" 2>/dev/null || true
  for child in $(pgrep -P "$1" || true); do thaw_family "$child"; done
}

# off_by SECONDS COMMAND…: on a machine whose clock is this far ahead, or behind. All processes share one page of libfaketime's:
# it would make one for each and remove it at the end, and then a child that starts just then finds it gone and exits with 1.
off_by() {
  local clock
  mapfile -t clock < <(python3 "$root/examples/sandbox/clock.py" shift "rv-test-$$" "$1")
  env "${clock[@]}" "${@:2}"
}
drop_clock() { python3 "$root/examples/sandbox/clock.py" stop "rv-test-$$"; }
# keep_ended_jobs SECONDS: how long the controller lists a job that has ended (MinJobAge).
keep_ended_jobs() {
  sed -i "s/^MinJobAge=.*/MinJobAge=$1/" "$(scontrol show config | sed -n 's/^SLURM_CONF *= //p')"
  scontrol reconfigure
}
