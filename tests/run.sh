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

if [ -n "$quick" ]; then
  exec ctest --test-dir "$build" --output-on-failure --no-tests=error -LE slurm
fi

# The linters take minutes of processor time, and most tests wait for Slurm: the linters get what the tests leave. Where
# the kernel schedules sessions as groups (autogroup), theirs comes last too.
# shellcheck disable=SC2016 # $0 is the build folder
setsid bash -c 'echo 19 2>/dev/null >/proc/self/autogroup; exec chrt --idle 0 tests/lint.sh "$0"' "$build" \
  >"$build/lint.log" 2>&1 &
lint=$!
trap 'kill -- -"$lint" 2>/dev/null || true' EXIT
code=0
# The long runs in accelerated time (tests/chain) go first and mostly wait; beside them, and then alone, go all others,
# one after another where they need Slurm. One that fails is tried once more, and the log shows both: what fails twice is
# no hiccup of the machine.
ctest --test-dir "$build" -j 2 --output-on-failure --no-tests=error --repeat until-pass:2 || code=$?
if wait "$lint"; then
  echo "lint: nothing found"
else
  echo "lint:" && cat "$build/lint.log"
  code=1
fi
exit "$code"
