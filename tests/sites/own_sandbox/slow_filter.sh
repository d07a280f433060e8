#!/usr/bin/env bash
# A job_submit script takes longer than sbatch waits: rv pauses longer between its calls, the run says what it waits for, and
# the job is submitted once the script is fast.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
sandbox=$root/examples/sandbox/sandbox
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-slow-XXXX")
take_down() {
  cd /
  "$sandbox" down --dir "$own/sb" >/dev/null
  rm -rf "$own"
}
trap take_down EXIT
cat >"$own/slow.yaml" <<END
cluster: slow
slurm: {DefMemPerCPU: 1000, JobSubmitPlugins: lua}
files:
  job_submit.lua: |
    function slurm_job_submit(job, partitions, uid)
      local quick = io.open('$own/quick')
      if quick then
        quick:close()
        return slurm.SUCCESS
      end
      os.execute('sleep 4')
      return slurm.ERROR
    end
    function slurm_job_modify(job, record, partitions, uid)
      return slurm.SUCCESS
    end
nodes: [{name: slow, count: 1, cpus: 8, memory: 32000, gpus: {type: a40, count: 2}, features: [a40]}]
partitions: [{name: gpu, nodes: [slow], default: true, max_time: 1-00:00:00}]
END
"$sandbox" up --dir "$own/sb" --shape "$own/slow.yaml" >/dev/null
export RV_SANDBOX_DIR=$own/sb
# shellcheck source=tests/real/lib.sh
source "$root/tests/real/lib.sh"

# The clients wait for two seconds; the controller's own settings stay.
mkdir "$own/conf"
cp "$(dirname "$SLURM_CONF")"/*.conf "$own/conf/"
sed -i '/^MessageTimeout=/d' "$own/conf/slurm.conf"
echo 'MessageTimeout=2' >>"$own/conf/slurm.conf"
rv plan -g 1 --time 5m >/dev/null # while the controller is quick
SLURM_CONF=$own/conf/slurm.conf "$RV" run -f -g 1 --time 5m --name slow echo there >"$own/out" 2>"$own/err" &
client=$!
said() { grep -q 'waiting for sbatch: 2 calls without an answer (.*timed out' "$own/err"; }
wait_for 60 said || fail "does not say what it waits for: $(cat "$own/err")"
sleep 30 # the calls are counted over this time
calls=$(cat "$RV_HOME"/runs/*/events.jsonl | grep -c '"event":"intent"')
[ "$calls" -le 6 ] || fail "$calls calls of sbatch in half a minute"
touch "$own/quick"
code=0
wait "$client" || code=$?
equal "exit code" 0 "$code"
equal "output" there "$(<"$own/out")"
