# Sourced by every test on a release of Slurm: includes the library of the tests on the real Slurm, and adds functions for
# preemption and requeues.
# shellcheck shell=bash
# shellcheck source=tests/real/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../real/lib.sh"

job_of() { field "$1" "['candidates'][0]['job_id']"; }
state_is() { [ "$(field "$1" "['state']" 2>/dev/null)" = "$2" ]; }
# preempted JOB: Slurm has set the job's preemption time.
preempted() { scontrol -o show job "$1" | grep -q ' PreemptTime=[0-9]'; }
# make_room JOB SECONDS: another user's urgent job takes all nodes for SECONDS.
make_room() {
  sbatch --parsable -J urgent -p urgent -N 3 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap "sleep $2" >/dev/null
  wait_for 20 preempted "$1" || fail "Slurm does not preempt job $1"
}
job_state() { squeue -h -j "$1" -t all -o %T 2>/dev/null; }
waits() { [ "$(job_state "$1")" = PENDING ]; }
no_job_alive() { ! job_state "$1" | grep -qE 'PENDING|RUNNING|CONFIGURING|COMPLETING'; }
# A requeued job would wait for two minutes.
start_now() { scontrol update jobid="$1" starttime=now 2>/dev/null || true; }
# since VERSION: the release is that or a later one.
since() { [ "$(printf '%s\n' "$1" "$(sinfo --version | cut -d' ' -f2)" | sort -V | head -n 1)" = "$1" ]; }
