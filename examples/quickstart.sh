#!/usr/bin/env bash
# From a bare Debian 12 machine to a command on four (pretended) GPUs of a real Slurm: packages, build, a one-machine
# Slurm in the shape of a university cluster, and the main job. Run as root. The sandbox stays up; the last lines say how
# to use it and how to stop it.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "packages"
tests/packages.sh install build
examples/sandbox/sandbox install

step "build"
export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja} # of a new build folder
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DRV_BUILD_TESTS=OFF
cmake --build build -j "$(nproc)" --target rv

step "a one-machine Slurm with 16 GPU nodes"
examples/sandbox/sandbox up --shape afton
eval "$(examples/sandbox/sandbox env)"
export PATH="$PWD/build/cli:$PATH" RV_SITE="$PWD/examples/sites/rivanna.yaml"

step "rv cluster"
rv cluster

step "rv up --gpu 4 --time 30m --dry-run"
rv up --gpu 4 --time 30m --dry-run

step "rv up --gpu 4 --time 30m --run …"
# shellcheck disable=SC2016  # expands on the node
rv up --gpu 4 --time 30m --run 'echo "GPUs $CUDA_VISIBLE_DEVICES on $SLURMD_NODENAME, ready for $SLURM_JOB_NAME"'

step "rv ps -a"
rv ps -a

cat <<END

Go on by hand:
  eval "\$(examples/sandbox/sandbox env)"; export PATH="$PWD/build/cli:\$PATH"
  rv up --gpu 2 --time 30m        # a shell on two GPUs
  examples/sandbox/sandbox down   # stops it all
END
