#!/usr/bin/env bash
# What a plan prints about limits and users agrees with what Slurm does.
# shellcheck source=tests/releases/lib.sh
source "$(dirname "$0")/lib.sh"

# The partition's QOS takes the place of the job's: two GPUs, although the job's own allows one.
plan=$(rv plan -g 2 --single-node --partition wide --qos narrow --time 5m)
contains "plan" " now " "$plan "
job=$(sbatch --parsable -p wide --qos narrow --gres=gpu:2 --mem=1G -t 5 -o /dev/null --wrap 'sleep 20')
is_running() { [ "$(job_state "$job")" = RUNNING ]; }
wait_for 20 is_running || fail "Slurm says $(squeue -h -j "$job")"
scancel "$job"

# A user without an association: Slurm refuses the job, and so nothing is offered.
chmod 0711 "$work"
mkdir -m 0700 "$work/nobody"
chown nobody:nogroup "$work/nobody"
install -m 0755 "$RV" "$work/nobody.rv" # which may lie where only its owner can read
stranger() {
  env -C "$work/nobody" USER=nobody LOGNAME=nobody HOME="$work/nobody" RV_HOME="$work/nobody/rv" \
    setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
}
said=$(stranger sbatch -p gpu --gres=gpu:1 --mem=1G -t 5 -o /dev/null --wrap true 2>&1) && fail "Slurm takes the job: $said"
contains "Slurm's reason" "Invalid account" "$said"
said=$(stranger "$work/nobody.rv" plan -g 1 --time 5m 2>&1) || true
contains "rv's reason" "no association" "$said"
