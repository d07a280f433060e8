#!/usr/bin/env bash
# The unit tests of all rooms, and with them the parsers on damaged text (tests/damaged.h), under AddressSanitizer and
# UndefinedBehaviorSanitizer; what has threads under ThreadSanitizer. What they find is a fault and ends a test. Both builds together
# take a quarter of an hour of a processor with clang, which is why CI leaves them to people.
# usage: tests/sanitizers.sh BUILD_FOLDER [JOBS]   builds in BUILD_FOLDER/asan and BUILD_FOLDER/tsan
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder}
jobs=${2:-$(nproc)}

# clang compiles such code in half of GCC's time; GCC's sanitizers do as well where it is not installed (clang-14, libclang-rt-14-dev).
compiler=()
! command -v clang++-14 >/dev/null || compiler=(-DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_C_COMPILER=clang-14)

# checked NAME SANITIZERS TESTS TARGET…: those targets, then the tests whose names match.
checked() {
  local name=$1 sanitizers=$2 tests=$3
  shift 3
  cmake -S . -B "$build/$name" "${compiler[@]}" -DRV_SANITIZE="$sanitizers" -DRV_CUDA=OFF -DRV_BUILD_TESTS=ON >"$build/$name.log"
  cmake --build "$build/$name" -j "$jobs" --target "$@" >>"$build/$name.log" || { cat "$build/$name.log" && return 1; }
  ctest --test-dir "$build/$name" -j "$jobs" --output-on-failure --no-tests=error -R "^($tests)$"
}

# An array read where it has ended, a number that overflows, memory that is lost: in any unit.
export UBSAN_OPTIONS=print_stacktrace=1
checked asan address,undefined \
  'base|planner|slurm|templates|monitor|settings|project|pages|accept|sweep|remote|cli|workers' rv_units

# Two threads at the same data. gloo and yaml-cpp are not compiled here: what they do among themselves can't be seen.
export TSAN_OPTIONS=suppressions=$PWD/tests/tsan.supp
# GCC 12's has places in memory that newer kernels give to others, where these are drawn from as many as they can be.
fixed=()
[ "$(sysctl -n vm.mmap_rnd_bits 2>/dev/null || echo 32)" -le 28 ] || fixed=(setarch --addr-no-randomize)
ctest() { "${fixed[@]}" ctest "$@"; }
checked tsan thread 'base|planner|monitor|remote|workers|cli\.(plan|slow_slurm|cluster)' \
  base_test planner_test monitor_test remote_test workers_test rv
