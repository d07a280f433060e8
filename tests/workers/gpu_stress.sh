#!/usr/bin/env bash
# rv stress runs on real GPUs: with 1 to 12 workers, on one GPU and on all, on MIG slices if there are any, with faults, and
# with a launcher. Prints a table, and exits with 1 if a check is not as expected. Takes two minutes, with --quick one.
# usage: gpu_stress.sh [--quick] BUILD_FOLDER [REPORT_FOLDER]
set -u
counts=(1 2 4 8 12) load=(--duration 5s --reference 2s) short=3s default=10s
if [ "${1:-}" = --quick ]; then
  counts=(1 4 12) load=(--duration 2s --reference 1s) short=2s default=5s
  shift
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:?the build folder}")
reports=${2:-$(mktemp -d)}
mkdir -p "$reports"
reports=$(realpath "$reports")
cd "$reports" || exit 3
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
if [ "$gpus" -eq 0 ]; then
  echo "gpu_stress.sh: nvidia-smi shows no GPU" >&2
  exit 77
fi
slices=$(nvidia-smi -L | grep -c '^ *MIG')
export RV_HOME=$reports/home RV_SITE=$reports/site.yaml NO_COLOR=1
printf 'scratch: %s/scratch\n' "$reports" >"$RV_SITE"
work=$reports
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
failed=0
# check NAME CODE ARGUMENTS…: rv stress with these arguments ends with that code; NAME/stress.json is its result.
check() {
  local name=$1 code=$2 verdict=ok begin
  shift 2
  begin=$(date +%s.%N)
  work=$reports/$name
  mkdir -p "$work"
  (exits "$code" timeout --kill-after=10 200 "$build/cli/rv" stress --local --worker-folder "$build/workers" --report-dir "$work" "$@") \
    >"$work/said" 2>&1 || verdict=NOT_OK failed=1
  printf '%-22s %-7s %6.1f s\n' "$name" "$verdict" "$(awk "BEGIN { print $(date +%s.%N) - $begin }")"
  [ "$verdict" = ok ] || tail -n 30 "$work/said" | sed 's/^/    /'
}
# so NAME WHAT EXPRESSION: true of that check's stress.json; n is its node.
so() { (says "$1: $2" "(lambda n: $3)(d['nodes'][0])" "$reports/$1/stress.json") || failed=1; }
# figures NAME: its tables.
figures() { sed -n '1,/^workers that passed/p' "$reports/$1/out" | sed 's/^/    /'; }

echo "$gpus GPUs, $slices MIG slices, reports in $reports"
for workers in "${counts[@]}"; do
  check "workers_$workers" 0 --workers "$workers" "${load[@]}"
  so "workers_$workers" "all did well" "len(n['workers']) == $workers and all(w['end'] == 'done' and w['operations'] > 0 for w in n['workers'])"
  so "workers_$workers" "memory" "all(w['gpu_peak_bytes'] is None or w['gpu_peak_bytes'] > 805306368 for w in n['workers'])"
  so "workers_$workers" "dealt in turn" "[w['gpu_index'] for w in n['workers']] == [i % len(n['gpus']) for i in range($workers)]"
  so "workers_$workers" "all is as before" "not [c for c in n['after'] if c['verdict'] == 'fail']"
done
figures "workers_$workers"
check default 0 --duration "$default"
figures default
[ "$gpus" -eq 1 ] || so default "scaling" "n['scaling']['over'] == 'one GPU' and n['scaling']['factor'] > 0.8 * len(n['gpus'])"
so default "utilisation" "all(g['utilisation_percent'] is None or g['utilisation_percent'] > 50 for g in n['gpus'])"
(export CUDA_VISIBLE_DEVICES=0; check one_gpu 0 --workers 4 --duration "$short"; exit "$failed") || failed=1
so one_gpu "one GPU" "len(n['gpus']) == 1 and len(n['workers']) == 4"
if [ "$slices" -gt 0 ]; then
  (CUDA_VISIBLE_DEVICES=$(nvidia-smi -L | grep -o 'MIG-[0-9a-f-]*' | paste -sd,); export CUDA_VISIBLE_DEVICES
   check slices 0 --workers "$((2 * slices))" --memory 128 "${load[@]}"; exit "$failed") || failed=1
  so slices "each slice has its two" "[g['workers'] for g in n['gpus']] == [2] * $slices"
  figures slices
fi
check does_not_fit 4 --memory 1T
check die 1 --workers 2 --duration "$short" --inject die@1:2
so die "named" "n['workers'][1]['end'] == 'killed' and not [c for c in n['after'] if c['verdict'] == 'fail']"
check hang 1 --workers 2 --duration "$short" --silence 3s --inject hang@1:2
so hang "named" "n['workers'][1]['end'] == 'hung'"
# If the driver does not report a process's memory, its growth can't be detected.
check leak 0,1 --workers 2 --duration "$short" --inject leak@1
so leak "named" "n['workers'][1]['gpu_peak_bytes'] is None or 'leaks: ' in n['workers'][1]['reason']"
check corrupt 1 --workers 2 --duration "$short" --inject corrupt@1
so corrupt "named" "'wrong result' in n['workers'][1]['reason']"
# The launcher of this check is a worker of rv's: it is on the GPUs that it was given, and on no other.
check launch 0 --skip-stress --launch "'$build/workers/rv-compute' --quick --suite gemm --types bf16 --allow-skip --duration 3"
so launch "given and used" "all(l['used'] is None or sorted(l['used']) == sorted(l['given']) for l in n['launches'])"
figures launch
# One that takes no notice of what it was given uses GPUs where it was to use none; where the driver tells of no process it can't
# be seen.
check taken 0,1 --skip-stress --min-launch 100 \
  --launch "env -u CUDA_VISIBLE_DEVICES '$build/workers/rv-compute' --quick --suite gemm --types bf16 --duration 3"
so taken "named" "(lambda l: l['used'] is None or (l['verdict'] == 'fail' and 'it used GPUs that it was not assigned: GPU-' in l['reason']))([l for l in n['launches'] if l['configuration'] == 'cpu'][0])"
figures taken
# The same by PyTorch, whose processes are like those of people's own launchers.
if python3 -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
  cat >launch.py <<'END'
import os
import time

import torch

print("CUDA_VISIBLE_DEVICES:", os.environ.get("CUDA_VISIBLE_DEVICES"))
tensors = [torch.ones(1 << 22, device=f"cuda:{i}") for i in range(torch.cuda.device_count())]
print(f"using device: cuda, {sum(t.sum().item() for t in tensors):.0f}" if tensors else "falling back to CPU")
time.sleep(2)
END
  # Only the second GPU, a selection that no other configuration makes; one GPU has no subset.
  subset=()
  [ "$gpus" -eq 1 ] || subset=(--subset 1)
  check torch 0 --skip-stress --launch "python3 '$reports/launch.py'" "${subset[@]}"
  [ "$gpus" -eq 1 ] || so torch "configurations" "[l['configuration'] for l in n['launches']] == ['single', 'all', 'cpu', 'subset-1']"
  so torch "given and used" "all(l['verdict'] == 'pass' and (l['used'] is None or sorted(l['used']) == sorted(l['given'])) for l in n['launches'])"
  figures torch
  check torch_taken 0,1 --skip-stress --min-launch 100 --launch "env -u CUDA_VISIBLE_DEVICES python3 '$reports/launch.py'"
  so torch_taken "named" "(lambda l: l['used'] is None or (l['verdict'] == 'fail' and 'it used GPUs that it was not assigned: GPU-' in l['reason']))([l for l in n['launches'] if l['configuration'] == 'cpu'][0])"
else
  echo "no PyTorch that sees a GPU: its launcher is left out"
fi
left=$(pgrep -x rv-stress)
[ -z "$left" ] || { echo "processes are left: $left" && failed=1; }
echo "reports: $reports"
exit "$failed"
