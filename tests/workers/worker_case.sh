#!/usr/bin/env bash
# Sourced by the scripts that run a worker as people do. Needs $worker and $build (cuda or cpu-only).
: "${worker:?}" "${build:?}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
# A machine with GPUs, or a job that runs this test, must not change what it sees.
export CUDA_VISIBLE_DEVICES=
for name in $(compgen -e | grep -E '^(SLURM_|RV_|TORCHELASTIC_)'; echo RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT); do
  unset "$name"
done

fail() {
  printf 'FAILED: %s\n--- stdout\n%s\n--- stderr\n%s\n' "$*" "$(cat out 2> /dev/null)" "$(cat err 2> /dev/null)"
  exit 1
}
# run CODE WORDS…: the worker with these words must end with this code, and leave no process behind.
run() {
  local expected=$1 code
  shift
  timeout 60 "$worker" "$@" > out 2> err
  code=$?
  [ "$code" = "$expected" ] || fail "$* ended with $code, expected $expected"
  # A second process of the same run may still be on its way out.
  for _ in $(seq 50); do
    left_behind > left || return 0
    sleep 0.1
  done
  fail "$* left processes behind: $(cat left)"
}
# Every process of this test works in its folder; this shell and its own children do not count.
left_behind() {
  local folder process found=1
  for folder in /proc/[0-9]*; do
    process=${folder#/proc/}
    [ "$(readlink "$folder/exe" 2> /dev/null)" = "$worker" ] || continue
    [ "$(readlink "$folder/cwd" 2> /dev/null)" = "$scratch" ] || continue
    echo "$process"
    found=0
  done
  return $found
}
# json FILE EXPRESSION: true over d, the lines of the file.
json() {
  python3 -c 'import json,sys; d=[json.loads(l) for l in open(sys.argv[1])]; sys.exit(0 if eval("(" + sys.argv[2] + ")") else 1)' \
    "$1" "$2" || fail "$1: not so: $2"
}
has() { grep -qE -e "$1" "$2" || fail "$2 lacks: $1"; }
