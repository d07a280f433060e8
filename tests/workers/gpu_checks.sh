#!/usr/bin/env bash
# Runs the checks of the workers that need real GPUs, and prints a table with failed rows first.
# usage: gpu_checks.sh BUILD_FOLDER [REPORT_FOLDER [PART…]]
# Without PART all parts run: compute, models, images, batches and resuming on one GPU, and with several GPUs also all_gpus,
# all_training, acceptance, ranks and faults. Each part takes less than ten minutes. Exits with 1 if a row failed, with 77
# without a GPU.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:?the build folder}")
reports=${2:-$(mktemp -d)}
mkdir -p "$reports"
reports=$(realpath "$reports")
workers=$build/workers
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
if [ "$gpus" -eq 0 ]; then
  echo "gpu_checks.sh: nvidia-smi shows no GPU" >&2
  exit 77
fi
parts=("${@:3}")
if [ "${#parts[@]}" -eq 0 ]; then
  parts=(compute models images batches resuming)
  [ "$gpus" -eq 1 ] || parts+=(all_gpus all_training acceptance ranks faults)
fi
for part in "${parts[@]}"; do
  [ -e "$root/tests/workers/gpu_checks/$part.sh" ] && [ "$part" != lib ] && continue
  echo "gpu_checks.sh: $part is not a part" >&2
  exit 2
done
cd "$reports" || exit 3
work=$reports
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
# shellcheck source=tests/workers/gpu_checks/lib.sh
source "$root/tests/workers/gpu_checks/lib.sh"

echo "$gpus GPUs, reports in $reports" >&2
# A reading that is not available is a skip; containers often hide some.
check health_before 30 0,77 "$workers/rv-health" --report-dir "$reports"
cp rv-health.*.jsonl before.jsonl 2>/dev/null
for part in "${parts[@]}"; do
  # shellcheck source=/dev/null
  source "$root/tests/workers/gpu_checks/$part.sh"
done
check health_after 30 0,1,77 "$workers/rv-health" --before before.jsonl
figures health_after ': (fail|error)|fail:|error:'
print_table
