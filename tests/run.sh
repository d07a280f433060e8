#!/usr/bin/env bash
# Runs everything but protocol.model_requeue and most of what tests/sanitizers.sh can do: installs missing packages, builds with
# warnings as errors, checks format and lint, and runs the tests, including those on a real one-machine Slurm and some units
# with sanitizers. `tests/run.sh --quick` leaves out the linters, the sanitizers, the real Slurm, and the slowest tests (label
# slow): it takes three minutes on two processors.
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

export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja} # of a new build folder: make starts a dozen programs a target
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DRV_BUILD_TESTS=ON -DRV_ALL_TESTS=ON

if [ -n "$quick" ]; then
  cmake --build "$build" -j "$(nproc)"
  # Most of them wait: for a clock, a process, a socket.
  exec ctest --test-dir "$build" -j "$(($(nproc) * 3))" --output-on-failure --no-tests=error -LE "slurm|slow"
fi

# What takes minutes of processor time and can wait gets what the others leave. Where the kernel schedules sessions as groups
# (autogroup), theirs comes last too.
# shellcheck disable=SC2016 # for the inner shell
idle() { exec setsid bash -c 'echo 19 2>/dev/null >/proc/self/autogroup; exec chrt --idle 0 "$0" "$@"' "$@"; }
started=()
trap 'kill -- "${started[@]}" 2>/dev/null || true' EXIT

# The long runs in accelerated time and the fault tests take the longest, and mostly wait: they begin once there is what they run,
# and the rest is built beneath them. All long runs at once would fall behind their clock where processes are slow to start.
cmake --build "$build" -j "$(nproc)" --target rv rv_dynamic rv-health rv-sample
ctest --test-dir "$build/tests/chain" -j 4 --output-on-failure --no-tests=error >"$build/chain.log" 2>&1 &
chain=$! started+=("$!")
ctest --test-dir "$build/tests/faults" -j 3 --output-on-failure --no-tests=error >"$build/faults.log" 2>&1 &
faults=$! started+=("$!")
(idle cmake --build "$build" -j "$(nproc)") &
rest=$! started+=("-$!")
wait "$rest"

(idle tests/lint.sh "$build") >"$build/lint.log" 2>&1 &
lint=$! started+=("-$!")
# shellcheck disable=SC2016 # for the inner shell
(idle bash -c 'tail --pid="$1" -f /dev/null && tests/sanitizers.sh "$0" asan build' \
  "$build" "$lint") >"$build/sanitizers.log" 2>&1 &
sanitizers=$! started+=("-$!")
# Other releases of Slurm, where somebody names them: folders or archives. Each takes some four minutes.
read -ra releases <<<"${RV_SLURM_RELEASES:-}"
others=""
if [ "${#releases[@]}" -gt 0 ]; then
  RV=$(cd "$build" && pwd)/cli/rv tests/releases.sh "${releases[@]}" >"$build/releases.log" 2>&1 &
  others=$! started+=("$!")
fi
code=0
# ended PID NAME: what it said, once it is over.
ended() {
  local result=passed
  wait "$1" || result=FAILED code=1
  echo "== $2: $result" && cat "$build/$2.log"
}
# Tests mostly wait, for Slurm above all: more go beside each other than there are processors.
# The largest model of the protocol takes five minutes of a processor; a change of the protocol runs it by hand (CONTRIBUTING.md).
ctest --test-dir "$build" -LE "chain|faults" -E protocol.model_requeue -j 5 --output-on-failure --no-tests=error || code=1
ended "$chain" chain
ended "$faults" faults
[ -z "$others" ] || ended "$others" releases
ended "$lint" lint
# Built beside the tests; run after them, since checked code is slow, and some of it is watched by a clock.
ended "$sanitizers" sanitizers
tests/sanitizers.sh "$build" asan test || code=1
exit "$code"
