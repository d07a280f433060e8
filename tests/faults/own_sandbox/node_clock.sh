#!/usr/bin/env bash
# The clocks of the nodes are one or ten minutes behind the clients' clocks. A node that is lost before the command starts makes
# the run start again; a node that is lost later does not, whatever the time stamps say.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-clock-XXXXXX")
export RV_SANDBOX_DIR=$own/sandbox
"$root/examples/sandbox/sandbox" up --shape "$root/tests/faults/own_sandbox/clocks.yaml" --dir "$RV_SANDBOX_DIR"
take_down() {
  cd /
  "$root/examples/sandbox/sandbox" down --dir "$RV_SANDBOX_DIR" >/dev/null
  rm -rf "$own"
}
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$root/tests/faults/lib.sh"
# The nodes that are lost stay lost.
unset -f mend

cat >>"$RV_SITE" <<END
setup:
  - '[ -e $work/first.\$SLURM_JOB_PARTITION ] || { echo "\$SLURMD_NODENAME" >$work/first.\$SLURM_JOB_PARTITION; sleep 300; }'
END
# behind PARTITION SECONDS
# shellcheck disable=SC2016 # what expands in the job is in single quotes
behind() {
  local client node code=0
  rv run -g 2 --partition "$1" --time 5m --name "$1" -f bash -c 'echo "$SLURMD_NODENAME" >"$0.node"; date +%s >>"$0"; sleep 300' \
    "$work/runs.$1" >"$work/$1.out" 2>"$work/$1.err" &
  client=$!
  wait_for 30 has_lines "$work/first.$1" 1 || fail "does not start: $(rv show "$1")"
  read -r node <"$work/first.$1"
  fault power-off "slurmd.$node"
  give_up "$node"
  wait_for 60 has_lines "$work/runs.$1" 1 || fail "does not start again: $(rv show "$1")"
  # Or the clock is the machine's own, and the test shows nothing.
  [ $(($(date +%s) - $(<"$work/runs.$1"))) -ge $(($2 - 30)) ] || fail "the node's clock is not behind: $(<"$work/runs.$1")"
  node=$(<"$work/runs.$1.node")
  fault power-off "slurmd.$node"
  give_up "$node"
  wait "$client" || code=$?
  equal "$1: executions" 1 "$(lines_in "$work/runs.$1")"
  equal "$1: exit code" 123 "$code"
  equal "$1: state" node-failure "$(field "$1" "['state']")"
  equal "$1: starts on record" 1 "$(entries start "$1" | wc -l)"
}
# Both at once: they wait for Slurm to give nodes up.
behind minute 60 >"$work/minute" 2>&1 &
minute=$!
behind ten 600
wait "$minute" || fail "$(<"$work/minute")"
for name in minute ten; do
  rv show "$name" >/dev/null
  equal "$name: executions" 1 "$(lines_in "$work/runs.$name")"
done
