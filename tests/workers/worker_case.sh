#!/usr/bin/env bash
# Sourced by the scripts that run a worker as people do. Needs $worker and $build (cuda or cpu-only).
: "${worker:?}" "${build:?}"
work=$(mktemp -d)
# shellcheck source=tests/assertions.sh
. "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../assertions.sh"
trap 'code=$?; drop_work "$code"; exit "$code"' EXIT
cd "$work" || exit 1
# A machine with GPUs, or a job that runs this test, must not change what it sees.
export CUDA_VISIBLE_DEVICES=
for name in $(compgen -e | grep -E '^(SLURM_|RV_|TORCHELASTIC_)'; echo RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT); do
  unset "$name"
done

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
    [ "$(readlink "$folder/cwd" 2> /dev/null)" = "$work" ] || continue
    echo "$process"
    found=0
  done
  return $found
}
# json FILE EXPRESSION: true over d, the lines of the file.
json() { all_say "$1" "$2" "$1"; }
has() { grep -qE -e "$1" "$2" || fail "$2 lacks: $1"; }
