#!/usr/bin/env bash
# A partition into which only the login node may submit (AllocNodes): sbatch for the next segment is refused on the compute
# node, and the same job is requeued instead.
# shellcheck source=tests/chain/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# The controller takes a submission's host from the munge credential. A munged with another address makes whoever asks it a
# login node, on a machine that is all nodes at once.
login=127.0.0.2
mkdir "$work/login"
cp "$(dirname "$SLURM_CONF")"/*.conf "$work/login/"
sed -i "/^AuthInfo=/s#socket=[^,]*#socket=$work/login/munge.sock#" "$work/login/slurm.conf"
munged --foreground --force --key-file="$RV_SANDBOX_DIR/key/munge.key" --origin="$login" --num-threads=1 \
  --socket="$work/login/munge.sock" --pid-file="$work/login/munged.pid" --seed-file="$work/login/seed" \
  2>"$work/login/munged.log" &
munged=$!
mend() {
  kill "$munged"
  scontrol update partitionname=gpu-a6000 allocnodes=ALL
}
wait_real 10 test -S "$work/login/munge.sock" || fail "$(<"$work/login/munged.log")"
scontrol update partitionname=gpu-a6000 allocnodes="$login"

from_login() { SLURM_CONF="$work/login/slurm.conf" rv "$@"; }
from_login run --checkpoint --time 2h --segment-time 30m --warn 8m -g 1 -t a6000 --name refused "$here/app.sh" 40 >/dev/null 2>&1
wait_real 240 over refused || fail "not over: $(rv show refused); $(squeue)"
equal "state" "done" "$(field refused "['state']")"
each_step_once steps.0 40 || fail "steps: $(cut -d' ' -f1 steps.0 | tr '\n' ' ')"
one_after_the_other refused || fail "segments at once: $(rv show refused)"
contains "events" "Access/permission denied" "$(rv show refused --json)"
jobs=$(field refused "['chain']['segments']" | python3 -c 'import ast,sys; print(len({s["job_id"] for s in ast.literal_eval(sys.stdin.read())}))')
equal "jobs" 1 "$jobs"
[ "$(segments refused)" -ge 2 ] || fail "only $(segments refused) segments"
