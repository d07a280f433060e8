#!/usr/bin/env bash
# A run stays on the cluster that it was planned on, with two clusters in one database, and then in one federation. The second
# cluster has select/cons_res, cloud nodes that are hidden while they are off, and shows nodes only to operators.
# shellcheck disable=SC2016 # the jobs' own variables
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
sandbox=$root/examples/sandbox/sandbox
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-two-XXXX")
chmod 0711 "$own"
down() {
  "$sandbox" down --dir "$own/w" >/dev/null
  "$sandbox" down --dir "$own/e" >/dev/null
  rm -rf "$own"
}
trap down EXIT
cat >"$own/east.yaml" <<'END'
cluster: east
slurm: {DefMemPerCPU: 1000}
nodes: [{name: enode, cpus: 8, memory: 32000, gpus: {type: a40, count: 2}, features: [a40]}]
partitions: [{name: gpu, nodes: [enode], default: true, max_time: 1-00:00:00}]
END
"$sandbox" up --dir "$own/e" --shape "$own/east.yaml" >/dev/null
# Of east's database and its authentication.
cat >"$own/west.yaml" <<END
cluster: west
slurm:
  DefMemPerCPU: 1000
  SelectType: select/cons_res
  PrivateData: nodes
  FederationParameters: fed_display
  AuthInfo: socket=$own/e/run/munge.sock
  AccountingStoragePass: $own/e/run/munge.sock
  $(sed -n 's/^AccountingStoragePort=/AccountingStoragePort: /p' "$own/e/etc/slurm.conf")
nodes:
  - {name: wnode, count: 2, cpus: 8, memory: 32000, gpus: {type: a40, count: 2}, features: [a40]}
  - {name: wsky, cpus: 8, memory: 32000, gpus: {type: b200, count: 2}, cloud: true}
partitions:
  - {name: gpu, nodes: [wnode], default: true, max_time: 1-00:00:00}
  - {name: cloud, nodes: [wsky], max_time: 1-00:00:00}
users: [games]
END
"$sandbox" up --dir "$own/w" --shape "$own/west.yaml" >/dev/null
export RV_SANDBOX_DIR=$own/w
# shellcheck source=tests/sites/lib.sh
source "$root/tests/sites/lib.sh"
mend() { down; }

# The same job ID on both: one cluster's answers are not the other's.
other=$(sbatch -M east --parsable --mem=1G --gres=gpu:1 -t 10 -o /dev/null --wrap 'sleep 600')
exits 0 rv_of_root run -f -g 2 --nodes 2 --time 10m --name both 'echo "$SLURM_CLUSTER_NAME $SLURM_JOB_ID"'
equal "cluster and job" "west ${other%;*}" "$(cut -d" " -f2- <<<"$out" | sort -u)"
exits 0 env SLURM_CLUSTERS=east "$work/rv" cluster
contains "whatever SLURM_CLUSTERS says" "west, Slurm" "$out"

# What is not shown is unknown.
exits 120 rv_of_root plan -g 1 -t b200 --time 10m
contains "nodes that are off" "unknown: 1 node of cloud, which Slurm does not show" "$(tr -s " \n" " " <<<"$out")"
exits 121 rv plan -g 1 --time 10m
contains "without nodes" "operators" "$err"

# In a federation Slurm would start it on either; here it waits where it was planned, is followed and ended there.
sacctmgr -i add federation coast clusters=east,west >/dev/null
joined() { scontrol show federation | grep -q 'Sibling:.*Synced:Yes'; }
wait_for 20 joined || fail "no federation: $(scontrol show federation)"
abroad=$(sbatch -M east -J abroad --parsable --mem=1G --gres=gpu:1 -t 10 -o /dev/null --wrap 'sleep 600')
shown() { squeue -h -j "${abroad%;*}" -o %T%N 2>/dev/null | grep -q RUNNINGenode; }
wait_for 20 shown || fail "Slurm does not show both as one: $(squeue)"
lacks "jobs of west" "${abroad%;*}" "$(rv_of_root cluster --save -)"
submitted -M west -p gpu -N 2 --gres=gpu:a40:2
job=${job%;*} busy=("$job")
wait_for 20 is_running "$job" || fail "job $job does not run: $(squeue -h -j "$job")"
contains "script" "#SBATCH --clusters=west" "$(rv_of_root render -g 1 --time 10m)"
exits 0 rv_of_root run -g 1 --time 10m --name stays sleep 300
queued() { [[ $(rv_of_root ps) == *stays*queued* ]]; }
wait_for 20 queued || fail "not queued: $(rv_of_root ps)"
scancel "$job"
goes() { [[ $(rv_of_root ps) == *stays*running* ]]; }
wait_for 30 goes || fail "does not start: $(rv_of_root ps)"
exits 0 rv_of_root stop stays

# Somebody moves a waiting job to the other cluster. This one calls it REVOKED, and its record says nothing about the job: it runs
# there, ends with the command's exit code, and rv stop reaches it.
submitted -M west -p gpu -N 2 --gres=gpu:a40:2
job=${job%;*} busy=("$job")
wait_for 20 is_running "$job" || fail "job $job does not run: $(squeue -h -j "$job")"
scancel "${abroad%;*}"
# moved NAME COMMAND
moved() {
  exits 0 rv_of_root run -g 1 --time 10m --name "$1" "$2"
  wait_for 20 is_queued "$1" || fail "$1 is not queued: $(rv_of_root ps)"
  scontrol update jobid="$(rv_of_root show "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["candidates"][0]["job_id"])')" clusters=east
  wait_for 30 runs_on_east "$1" || fail "$1 is moved: $(rv_of_root ps)"
}
is_queued() { [[ $(rv_of_root ps) == *"$1"*queued* ]]; }
runs_on_east() { [[ $(rv_of_root ps) == *"$1"*running*enode* ]]; }
is_over() { [[ $(rv_of_root ps -a) == *"$1  "*" $2 "* ]]; }
moved ends 'sleep 10; exit 3'
states=""
while ! is_over ends failed; do
  states+="$(rv_of_root ps -a | grep ' ends ')"$'\n'
  [ "$(wc -l <<<"$states")" -lt 60 ] || break
  sleep 0.5
done
lacks "while it ran" " ending " "$states"
contains "its end" "exit code 3" "$(rv_of_root ps -a | grep ' ends ')"
moved stopped 'sleep 600'
exits 0 rv_of_root stop stopped
wait_for 60 is_over stopped stopped || fail "rv stop does not end it: $(rv_of_root ps -a)"
scancel "$job"
alive() { squeue -h -M east,west -o '%j %T' | grep stays; }
ended() { ! alive >/dev/null; }
wait_for 20 ended || fail "left behind: $(alive)"
