#!/usr/bin/env bash
# rv plans what Slurm then does for names that Slurm's database stores in lower case, and for limits in minutes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
sandbox=$root/examples/sandbox/sandbox
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-names-XXXX")
take_down() {
  cd /
  "$sandbox" down --dir "$own/sb" >/dev/null
  rm -rf "$own"
}
trap take_down EXIT
cat >"$own/names.yaml" <<'END'
cluster: Names
slurm: {DefMemPerCPU: 1000, AccountingStorageTRES: "gres/gpu,gres/gpu:NVIDIA_H100_80GB_S"}
nodes: [{name: node, count: 2, cpus: 8, memory: 32000, gpus: {type: NVIDIA_H100_80GB_S, count: 2}}]
partitions: [{name: gpu, nodes: [node], default: true, max_time: 1-00:00:00}]
qos:
  - {name: ming, limits: {MaxTRESPU: "gres/gpu:nvidia_h100_80gb_s=1"}}
END
"$sandbox" up --dir "$own/sb" --shape "$own/names.yaml" >/dev/null
export RV_SANDBOX_DIR=$own/sb
# shellcheck source=tests/real/lib.sh
source "$root/tests/real/lib.sh"

reason() { squeue -h -j "$1" -o %r; }
has_reason() { [ "$(reason "$1")" = "$2" ]; }
# pends REASON ARGUMENTS…: what Slurm says of a job with these options.
pends() {
  local want=$1 job
  shift
  job=$(sbatch --parsable -o /dev/null --wrap 'sleep 60' "$@")
  wait_for 20 has_reason "$job" "$want" || fail "job of $* pends with $(reason "$job"), not $want"
  scancel "$job"
}
# fresh: what accounting was asked before does not count.
fresh() { rm -rf "$RV_HOME/cache"; }

# A gres type in capitals under a limit in small letters, and a QOS in capitals.
exits 0 rv plan -g 2 --time 10m --single-node
contains "without the QOS" "now" "$out"
# The first plan has the controller's word, without the limits per user; accounting is asked behind it.
heard() { compgen -G "$RV_HOME/cache/limits-*" >/dev/null; }
wait_for 20 heard || fail "accounting was not asked"
runs rv plan -g 2 --time 10m --single-node --qos MING
contains "two GPUs under the limit" "MaxTRESPerUser" "$out$err"
pends QOSMaxGRESPerUser --qos MING --gres gpu:NVIDIA_H100_80GB_S:2 -t 10
exits 0 rv plan -g 1 --time 10m --qos MING
contains "one GPU" "now" "$out"
contains "-t h100" "H100" "$(rv plan -t h100 -g 1 --time 10m)"

# Users as the system writes them, and of a Windows domain.
sacctmgr -i add user 'corp\jdoe' account=lab >/dev/null
for user in Root 'Corp\JDoe'; do
  fresh
  associations=$(USER=$user LOGNAME=$user "$RV" cluster --json |
    python3 -c "import json,sys; print(*(a['account'] for a in json.load(sys.stdin)['associations']))")
  contains "associations of $user" "lab" "$associations"
done

# A budget that is used up, of the account above.
sacctmgr -i modify account lab set GrpTRESMins=gres/gpu=0 >/dev/null
runs rv plan -g 1 --time 10m
contains "used-up budget" "the budget of account lab is used up: 0 of 0 GPU hours (GrpTRESMins gres/gpu=0)" "$out$err"
lacks "used-up budget" " now " "$out"
exits 0 rv ps --account lab
has_line "what is left" '^left     account lab has 0 GPU hours left of 0 \(GrpTRESMins gres/gpu=0\)$' "$out"
pends AssocGrpGRESMinutes --gres gpu:1 -t 10
sacctmgr -i modify account lab set GrpTRESMins=gres/gpu=-1 GrpTRESRunMins=gres/gpu=60 >/dev/null

# Minutes of running jobs: 60 GPU minutes, of which a job takes 40.
job=$(sbatch --parsable -o /dev/null --wrap 'sleep 600' --gres gpu:1 -t 40)
wait_for 20 job_runs "$job" || fail "job $job does not run: $(reason "$job")"
exits 0 rv plan -g 1 --time 30m
contains "running minutes" "GPU hours reserved for running jobs" "$(tr -s '\n ' ' ' <<<"$out")"
pends AssocGrpGRESRunMinutes --gres gpu:1 -t 30
exits 0 rv plan -g 1 --time 15m
contains "within the running minutes" "now" "$out"
scancel "$job"
sacctmgr -i modify account lab set GrpTRESRunMins=gres/gpu=-1 MaxTRESMinsPerJob=gres/gpu=20 >/dev/null
runs rv plan -g 1 --time 30m
contains "minutes of one job" "MaxTRESMinsPerJob gres/gpu=20" "$out$err"
pends AssocMaxGRESMinutesPerJob --gres gpu:1 -t 30
