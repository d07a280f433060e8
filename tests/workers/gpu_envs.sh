#!/usr/bin/env bash
# The quadruped runs on a real GPU: its steps match the CPU's, the same seed gives the same bits, and robots stand. Prints a
# table of environments and steps/s. FOLDER contains envs_check. Takes less than two minutes, and exits with 1 if a check is not
# as expected.
# usage: gpu_envs.sh FOLDER
set -u
check=$(realpath "${1:?the folder that has envs_check}")/envs_check
[ -x "$check" ] || { echo "gpu_envs.sh: $check is not there: cmake --build build --target envs_check" >&2 && exit 3; }
if ! nvidia-smi -L 2>/dev/null | grep '^GPU'; then
  echo "gpu_envs.sh: nvidia-smi shows no GPU" >&2
  exit 77
fi
exec timeout --kill-after=10 300 "$check"
