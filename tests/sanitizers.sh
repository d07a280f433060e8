#!/usr/bin/env bash
# Runs under AddressSanitizer and UndefinedBehaviorSanitizer: the units of base/ and slurm/, with the parsers on damaged text
# (tests/damaged.h), and for two seconds each the fuzz targets (tests/fuzz) of Slurm's output, of data files and of messages
# between ranks. `asan-rest` (the other units and fuzz targets) and `tsan` (rv and all units with threads, under
# ThreadSanitizer) are run by hand, since each takes at least ten minutes of a processor to build. A finding fails the test.
# usage: tests/sanitizers.sh BUILD_FOLDER [asan|asan-rest|tsan [build|test]]   builds in BUILD_FOLDER/asan, …
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder}
only=${2:-}
step=${3:-}
case "$only $step" in
  " " | "asan "* | "asan-rest "* | "tsan "*) ;;
  *) step=wrong ;;
esac
case $step in
  "" | build | test) ;;
  *) echo "usage: tests/sanitizers.sh BUILD_FOLDER [asan|asan-rest|tsan [build|test]]" >&2 && exit 2 ;;
esac

# What is found is reported with the functions that led there. Their lines, and checks of each access to an object, are in the presets
# asan and tsan (CONTRIBUTING.md): each takes a seventh of the compiler's time.
#
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
      cmake -S . -B "$build/$name" "$@" -DRV_SANITIZE_LINES=OFF -DRV_SANITIZE_ACCESS=OFF -DRV_CUDA=OFF -DRV_BUILD_TESTS=ON &&
        cmake --build "$build/$name" -j "$(nproc)" --target "${targets[@]}"
    } >"$build/$name.log" 2>&1 || { cat "$build/$name.log" && return 1; }
  fi
  [ "$step" = build ] || "${fixed[@]}" ctest --test-dir "$build/$name" -j "$(nproc)" --output-on-failure --no-tests=error "${tests[@]}"
}

# An array read where it has ended, a number that overflows, memory that is lost. clang compiles what is
# checked in half of GCC's time.
export UBSAN_OPTIONS=print_stacktrace=1
fixed=()
readers=(slurm_{assoc_mgr,finished_jobs,jobs,limits,lists,priority,queue,scontrol} checkpoint cifar_pickle gzip idx_file imagenet_labels
         kernel_log rank_messages tensor_file tool_output ssh_entries cluster_file)
either() { (IFS='|' && echo "$*"); }
checked asan -R "base|slurm|fuzz\.($(either "${readers[@]}"))" base_test slurm_test "${readers[@]/#/fuzz_}" -- \
  -DRV_SANITIZE=address,undefined -DRV_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++-14
rest=(failures planner templates monitor pages accept sweep stress kubernetes settings project cli workers envs remote field)
checked asan-rest -R "$(either "${rest[@]}")|fuzz\..*" "${rest[@]/%/_test}" rv_fuzz -- \
  -DRV_SANITIZE=address,undefined -DRV_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++-14

# Two threads at the same data. gloo and yaml-cpp are not compiled here: what they do among themselves can't be seen.
export TSAN_OPTIONS=suppressions=$PWD/tests/tsan.supp
# It has places in memory that newer kernels give to others, where these are drawn from as many as they can be.
[ "$(sysctl -n vm.mmap_rnd_bits 2>/dev/null || echo 32)" -le 28 ] || fixed=(setarch --addr-no-randomize)
checked tsan -R 'base|planner|remote|workers|monitor|cli\.(plan|slow_slurm|cluster)' \
  base_test planner_test remote_test workers_test monitor_test rv -- -DRV_SANITIZE=thread -DCMAKE_CXX_COMPILER=clang++-14
