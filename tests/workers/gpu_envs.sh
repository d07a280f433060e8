#!/usr/bin/env bash
# The quadruped on a real GPU: steps against the CPU's, the same bits from the same seed, robots that stand, and a table of
# environments × steps/s. usage: gpu_envs.sh FOLDER    (has envs_check; under two minutes; exits 1 if a check is not as expected)
set -u
check=$(realpath "${1:?the folder that has envs_check}")/envs_check
[ -x "$check" ] || { echo "gpu_envs.sh: $check is not there: cmake --build build --target envs_check" >&2 && exit 3; }
if ! nvidia-smi -L 2>/dev/null | grep '^GPU'; then
  echo "gpu_envs.sh: nvidia-smi shows no GPU" >&2
  exit 77
fi
exec timeout --kill-after=10 300 "$check"
