#!/usr/bin/env bash
# For every state of a node that scontrol can set and clear, rv reports what Slurm does. rv waits for a reboot that brings a
# node back, and not for one that leaves it down.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
sandbox=$root/examples/sandbox/sandbox
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-node-XXXX")
take_down() {
  cd /
  "$sandbox" down --dir "$own/sb" >/dev/null
  rm -rf "$own"
}
trap take_down EXIT
cat >"$own/states.yaml" <<'END'
cluster: states
slurm: {DefMemPerCPU: 1000, RebootProgram: /bin/true, ResumeTimeout: 600}
nodes: [{name: n, count: 2, cpus: 8, memory: 32000, gpus: {type: a40, count: 4}, features: [a40]}]
partitions: [{name: gpu, nodes: [n], default: true, max_time: 1-00:00:00}]
END
"$sandbox" up --dir "$own/sb" --shape "$own/states.yaml" ${RV_SLURM:+--slurm "$RV_SLURM"} >/dev/null
export RV_SANDBOX_DIR=$own/sb
# shellcheck source=tests/real/lib.sh
source "$root/tests/real/lib.sh"

state() { scontrol -o show node "$1" | grep -o ' State=[^ ]*'; }
is_in() { [[ "$(state "$1")" == *"$2"* ]]; }
# wait_word: of the first strategy; none where there is no strategy.
wait_word() {
  rv plan -g 1 --time 10m --json 2>/dev/null |
    python3 -c "import json,sys; s=json.load(sys.stdin)['strategies']; print(s[0]['wait']['p50_s'] if s else 'none')"
}
planned_with() { # STATE: n-1 in it, n-2 drained
  scontrol update nodename=n-1 state="$1" reason="${2:-tried}"
  wait_for 10 is_in n-1 "$1" || fail "n-1 is $(state n-1)"
  wait_word
}
scontrol update nodename=n-2 state=DRAIN reason='Kill task failed, a=b | x'
equal "idle" 0 "$(wait_word | sed 's/^[0-5]$/0/')"
equal "drained" none "$(planned_with DRAIN 'Kill task failed, a=b | x')"
exits 120 rv plan -g 1 --time 10m
matches "the whole reason, with a date" 'Kill task failed, a=b \| x \[root@20[0-9-]* [0-9:]* UTC\]' "$(tr -s '\n ' ' ' <<<"$out")"
scontrol update nodename=n-1 state=RESUME
equal "failing" none "$(planned_with FAIL)"
scontrol update nodename=n-1 state=RESUME

# While a job runs, the reboot waits for it: sbatch takes jobs and predicts a start, and so does rv.
busy=$(sbatch --parsable -w n-1 --gres=gpu:1 --mem=1G -t 20 -o /dev/null --wrap 'sleep 600')
wait_for 20 job_runs "$busy" || fail "no job runs on n-1"
scontrol reboot ASAP nextstate=RESUME n-1
wait_for 10 is_in n-1 MIXED+DRAIN+REBOOT_REQUESTED || fail "n-1 is $(state n-1)"
waits=$(wait_word)
((waits >= 1700 && waits <= 1900)) || fail "20 minutes of the job and 10 of the boot, not $waits s"
scancel "$busy"
wait_for 40 is_in n-1 REBOOT_ISSUED || fail "n-1 is $(state n-1)"
waits=$(wait_word)
((waits >= 500 && waits <= 700)) || fail "10 minutes of the boot, not $waits s"
equal "Slurm takes the job" 0 "$(sbatch -o /dev/null --gres=gpu:1 --mem=1G -t 10 --wrap true >/dev/null && echo $?)"
