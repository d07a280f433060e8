#!/usr/bin/env bash
# A PyTorch project runs through a real Slurm on a GPU host: its environment is made from requirements.txt, then come a run, a
# launcher, curves of its GPU and a sweep. The host needs root, an NVIDIA driver and a python3 that imports torch, but neither a
# network nor Slurm.
# usage: project_on_slurm.sh [WORK_FOLDER]    (the script lies in the folder that gather.sh has made)
# Takes two minutes and writes to /opt/slurm-* and /run. Exits with 1 if a result is not as expected.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}
# shellcheck source=tests/gpu/one_machine.sh
source "$here/one_machine.sh"

# ---- the project ------------------------------------------------------------------------------------

cp "$here/train.py" .
python3 "$here/make_wheel.py" wheels toydata 3.1
# The host's own torch, as a package: gigabytes are not copied, but pip installs it, and its launcher is the environment's.
site=$(python3 -c 'import os, torch; print(os.path.dirname(os.path.dirname(torch.__file__)))')
python3 "$here/make_wheel.py" wheels torch "$(python3 -c 'import torch; print(torch.__version__)')" --path "$site" \
  --program torchrun=torch.distributed.run:main
printf '%s\n' --no-index '--find-links wheels' torch 'toydata>=3' >requirements.txt
ran() { sort -u ran | wc -l; }

exits 0 rv run -f -g 1 train.py
shown "$work/err"
shown "$work/out"
contains "the environment was made" "the environment is ready after" "$err"
equal "trained, exactly once" "1 1" "$(grep -c '^trained$' "$work/out") $(wc -l <ran)"
matches "its figure" 'samples per second: [1-9][0-9]*' "$out"
report "rv run -f -g 1 train.py"

rm ran
exits 0 rv run "torchrun --standalone --nproc_per_node=$gpus train.py" -g "$gpus" -f
shown "$work/out"
lacks "it is there" "the environment is ready after" "$err"
equal "the launcher's processes" "$gpus" "$(ran)"
equal "trained, exactly once" 1 "$(grep -c '^trained$' "$work/out")"
report "torchrun, $gpus processes"

# ---- what a run's GPUs did ---------------------------------------------------------------------------

# kept FILE SAMPLER: a run of half a minute leaves its GPU's curve, and its page shows it.
kept() {
  exits 0 rv run -f -g 1 train.py 8192 30
  exits 0 rv report -o "$1"
  matches "a curve in watts" '"unit":"W"' "$(cat "$1")"
  local folder points
  folder=$(rv show --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["run_folder"])')
  points=$(cat "$folder"/jobs/*.gpus | wc -l)
  head -n 3 "$folder"/jobs/*.gpus | sed 's/^/        /'
  [ "$points" -ge 3 ] || fail "$2 has left $points lines in half a minute"
  report "$2: $points lines of the GPU's curve"
}
# The sampler's own time so far, in ms, repeatedly.
while :; do
  sampler=$(pgrep -n -f 'rv-sample.*--curve') && awk '{ print ($14 + $15) * 10 }' "/proc/$sampler/stat" >>"$work/sampler_ms"
  sleep 0.5
done 2>/dev/null &
started+=($!)
kept by_sampler.html rv-sample
report "rv-sample took $(tail -n 1 "$work/sampler_ms" 2>/dev/null) ms of processor time"
mv "$here/bin/rv-sample" "$here/rv-sample"
kept by_nvidia_smi.html nvidia-smi
mv "$here/rv-sample" "$here/bin/rv-sample"
rm ran

# ---- a sweep of a program that is not rv's -----------------------------------------------------------

exits 0 rv sweep --over batch=256,4096,32768 -g 1 --time 10m --cooldown 0 --every 0.25s --report-dir sweep \
  --metric 'samples_per_s=samples per second: ([0-9.]+)' --throughput samples_per_s -- python3 train.py '{batch}'
shown "$work/out"
equal "each point once" "256 4096 32768" "$(cut -d' ' -f3 ran | sort -n | xargs)"
equal "in one allocation" 1 "$(cut -d' ' -f1 ran | sort -u | wc -l)"
says "each has its figure and what it used" \
  'all(p["metrics"]["samples_per_s"]["last"] > 0 and p["samples"]["figures"]["peak_vram_mib"] > 0 for p in d["points"])' sweep/results.json
report "rv sweep"
wait_for 20 idle || fail "a job is left: $(squeue -h)"
