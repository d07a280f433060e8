#!/usr/bin/env bash
# A site without accounting (no database, sacct, QOS or associations): plans mention no limits, and the ends of runs, failures
# and cancelled jobs included, are read from the run folder and the controller.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
sandbox=$root/examples/sandbox/sandbox
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-bare-XXXX")
take_down() {
  cd /
  "$sandbox" down --dir "$own/sb" >/dev/null
  rm -rf "$own"
}
trap take_down EXIT
cat >"$own/bare.yaml" <<'END'
cluster: bare
slurm: {DefMemPerCPU: 1000, AccountingStorageType: accounting_storage/none}
nodes: [{name: bare, count: 2, cpus: 8, memory: 32000, gpus: {type: a40, count: 2}, features: [a40]}]
partitions: [{name: gpu, nodes: [bare], default: true, max_time: 1-00:00:00}]
END
"$sandbox" up --dir "$own/sb" --shape "$own/bare.yaml" >/dev/null
export RV_SANDBOX_DIR=$own/sb
# shellcheck source=tests/real/lib.sh
source "$root/tests/real/lib.sh"

contains "sacct" "disabled" "$(sacct 2>&1 || true)"
exits 0 rv cluster
lacks "cluster" "unknown here" "$out"
exits 0 rv plan -g 1 --time 10m
contains "plan" "now" "$out"

exits 0 rv run -f -g 1 --time 5m --name well echo there
equal "output" "there" "$out"
exits 3 rv run -f -g 1 --time 5m --name badly bash -c 'exit 3'
exits 0 rv run -g 1 --time 5m --name ended sleep 100
is_running() { [ "$(field ended "['state']")" = running ]; }
wait_for 20 is_running || fail "does not run: $(rv show ended)"
scancel -u "$(id -un)"
over() { [ "$(field ended "['over']")" = True ]; }
wait_for 30 over || fail "not over: $(rv show ended)"
equal "cancelled" "stopped" "$(field ended "['state']")"
exits 0 rv why badly
contains "why" "exit code 3" "$out"
