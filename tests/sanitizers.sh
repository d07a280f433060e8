#!/usr/bin/env bash
# The unit tests of all rooms, and with them the parsers on damaged text (tests/damaged.h), under AddressSanitizer and
# UndefinedBehaviorSanitizer; what has threads under ThreadSanitizer. What they find is a fault and ends a test.
# CI runs the first of the two: the second takes another 12 minutes of a processor, and is for people who change what has
# threads.
# usage: tests/sanitizers.sh BUILD_FOLDER [asan|tsan [build|test]]   builds in BUILD_FOLDER/asan and BUILD_FOLDER/tsan
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder}
only=${2:-}
step=${3:-}
case "$only $step" in
  " " | "asan " | "asan build" | "asan test" | "tsan " | "tsan build" | "tsan test") ;;
  *) echo "usage: tests/sanitizers.sh BUILD_FOLDER [asan|tsan [build|test]]" >&2 && exit 2 ;;
esac

# checked NAME HOW TESTS TARGET… -- OPTION…: builds those targets with those options; runs the tests that ctest finds by them: HOW
# is -R for names, -L for labels.
checked() {
  local name=$1 tests=("$2" "^($3)$") targets=()
  shift 3
  [ "${only:-$name}" = "$name" ] || return 0
  while [ "$1" != -- ]; do targets+=("$1") && shift; done
  shift
  if [ "$step" != test ]; then
    {
      cmake -S . -B "$build/$name" "$@" -DRV_CUDA=OFF -DRV_BUILD_TESTS=ON &&
        cmake --build "$build/$name" -j "$(nproc)" --target "${targets[@]}"
    } >"$build/$name.log" 2>&1 || { cat "$build/$name.log" && return 1; }
  fi
  [ "$step" = build ] || "${fixed[@]}" ctest --test-dir "$build/$name" -j "$(nproc)" --output-on-failure --no-tests=error "${tests[@]}"
}

# An array read where it has ended, a number that overflows, memory that is lost: in any unit. clang compiles such code in
# half of GCC's time.
export UBSAN_OPTIONS=print_stacktrace=1
fixed=()
checked asan -L unit rv_units -- -DRV_SANITIZE=address,undefined -DCMAKE_CXX_COMPILER=clang++-14

# Two threads at the same data. gloo and yaml-cpp are not compiled here: what they do among themselves can't be seen. With GCC:
# clang's has no place for a test that takes threads away (tests/planner/side_by_side_test.cpp).
export TSAN_OPTIONS=suppressions=$PWD/tests/tsan.supp
# GCC 12's has places in memory that newer kernels give to others, where these are drawn from as many as they can be.
[ "$(sysctl -n vm.mmap_rnd_bits 2>/dev/null || echo 32)" -le 28 ] || fixed=(setarch --addr-no-randomize)
checked tsan -R 'base|planner|monitor|remote|workers|cli\.(plan|slow_slurm|cluster)' \
  base_test planner_test monitor_test remote_test workers_test rv -- -DRV_SANITIZE=thread
