# Sourced by the tests that run a worker as users do, in a folder of their own and without a GPU. RV is the worker.
# RV_SKIP_REASON is the reason why it has no GPU: no_gpu, or no_cuda_build if it was built without nvcc.
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the worker to test}" "${RV_SKIP_REASON:?no_gpu or no_cuda_build}"
RV=$(realpath "$RV")
# shellcheck disable=SC2034 # for the tests
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(realpath "$(mktemp -d "${TMPDIR:-/tmp}/rv-worker-XXXXXX")")
# shellcheck source=tests/clean_environment.sh
source "$here/../clean_environment.sh"
clean_environment
export CUDA_VISIBLE_DEVICES=
cd "$work"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$here/../assertions.sh"

# worker ARGUMENTS…: ends within three minutes, and leaves no process behind; else its code is 99.
worker() {
  local code=0
  timeout 180 "$RV" "$@" || code=$?
  # A second process of the same run may still be on its way out.
  wait_for 5 nobody_left || { echo "left behind: $(left_behind)" >&2 && return 99; }
  return "$code"
}
# worker_within KIB ARGUMENTS…: with no more address space than that.
worker_within() { (ulimit -v "$1" && worker "${@:2}"); }
# The worker's processes in this test's folder.
left_behind() {
  local exe
  # shellcheck disable=SC2044 # no name in /proc has blanks
  for exe in $(find /proc/[0-9]*/exe -maxdepth 0 -lname "$RV" 2>/dev/null); do
    [ "$(readlink "${exe%exe}cwd" 2>/dev/null)" != "$work" ] || echo "${exe//[!0-9]/}"
  done
}
nobody_left() { [ -z "$(left_behind)" ]; }

# beside COMMAND…: runs it in the background; it is $other, and its output is in other.out and other.err.
beside() {
  "$@" >other.out 2>other.err </dev/null &
  other=$!
}
# other_exits CODE: the background command ends with this code.
other_exits() {
  local code=0
  wait "$other" || code=$?
  equal "exit code of what went on beside ($(tail -n 1 other.err))" "$1" "$code"
}

# nothing_left FOLDER…: they are empty.
nothing_left() { equal "left behind" "" "$(find "$@" -mindepth 1)"; }
# tensors ARGUMENTS…: makes a safetensors file, or changes one.
tensors() { python3 -B "$here/tensors.py" "$@" || fail "tensors.py $*"; }
# checksum: the bits of the weights at the end of what ran last with --json.
checksum() { grep -o '"checksum":"[0-9a-f]*"' "$work/out" || fail "no checksum"; }
# same_report: the last command wrote its output to reports/ too.
same_report() { cmp "$work/out" reports/*.jsonl || fail "the report file differs from stdout"; }
