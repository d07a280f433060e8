# What the tests of rv accept without Slurm start with. Needs RV, the binary; the workers are in ../workers of its folder.
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the rv binary to test}"
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-accept-XXXXXX")
export RV_HOME="$work/home" RV_SITE="$work/site.yaml" NO_COLOR=1
printf 'scratch: %s/scratch\n' "$work" >"$RV_SITE"
unset SLURM_JOB_ID SLURM_STEP_ID MASTER_ADDR MASTER_PORT RANK WORLD_SIZE CUDA_VISIBLE_DEVICES
cd "$work"
trap 'code=$?; cd /; [ "$code" -eq 0 ] && rm -rf "$work" || echo "kept: $work"; exit "$code"' EXIT

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

# exits CODE COMMAND…: runs it with stdout and stderr in $out and $err.
exits() {
  local expected=$1 code=0
  shift
  "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  out=$(<"$work/out") err=$(<"$work/err")
  [ "$code" -eq "$expected" ] || fail "$*: exit code $code instead of $expected; stdout: $out; stderr: $err"
}

contains() { [[ "$3" == *"$2"* ]] || fail "$1: \"$2\" is not in: $3"; }

# says WHAT EXPRESSION FILE: a Python expression over the document d must be true.
says() {
  python3 -c 'import json, sys; d = json.load(open(sys.argv[2])); sys.exit(0 if eval(sys.argv[1]) else 1)' "$2" "$3" ||
    fail "$1: not true: $2"
}
