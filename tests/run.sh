#!/usr/bin/env bash
# Everything: installs what is missing, builds with warnings as errors, checks format and lint, runs all tests, those on
# a real one-machine Slurm included. `tests/run.sh --quick` leaves out the linters and the real Slurm.
set -euo pipefail
cd "$(dirname "$0")/.."

quick=""
case "${1:-}" in
  "") ;;
  --quick) quick=1 ;;
  *)
    echo "usage: tests/run.sh [--quick]" >&2
    exit 2
    ;;
esac
build=${RV_BUILD_DIR:-build}

tests/packages.sh install build tests
examples/sandbox/sandbox install

cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DRV_BUILD_TESTS=ON
cmake --build "$build" -j "$(nproc)"

if [ -z "$quick" ]; then
  tests/lint.sh "$build"
  ctest --test-dir "$build" --output-on-failure --no-tests=error
else
  ctest --test-dir "$build" --output-on-failure --no-tests=error -LE slurm
fi
