#!/usr/bin/env bash
# Runs every fuzz target for so many executions, or for so long where the number ends with s, and prints a table.
# usage: tests/fuzz/run.sh [EXECUTIONS|SECONDSs [TARGET…]]   default: 100000 executions of every target
# Builds the preset fuzz first. Keeps what it learnt in build-fuzz/corpus/, and inputs that end a parser in build-fuzz/crashes/.
set -euo pipefail
cd "$(dirname "$0")/../.."
build="build-fuzz"
amount=${1:-100000}
[ $# -eq 0 ] || shift
case $amount in
  *[!0-9s]* | s* | "" | *s?*) echo "usage: tests/fuzz/run.sh [EXECUTIONS|SECONDSs [TARGET…]]" >&2 && exit 2 ;;
esac
[ -f "$build/build.ninja" ] || [ -f "$build/Makefile" ] || cmake --preset fuzz -G Ninja >/dev/null
cmake --build "$build" -j "${RV_FUZZ_JOBS:-1}" --target rv_fuzz >"$build/fuzz.log" 2>&1 || { tail -n 30 "$build/fuzz.log" >&2 && exit 1; }

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for source in tests/fuzz/*.cpp; do
    name=$(basename "$source" .cpp)
    [ ! -x "$build/tests/fuzz/fuzz_$name" ] || targets+=("$name")
  done
fi

# executed LOG: how many inputs the target ran.
executed() { sed -n 's/^stat::number_of_executed_units: *//p' "$1" | tail -n 1; }

total=0 all_crashes=0
echo "| parser | executions | crashes |"
echo "| --- | ---: | ---: |"
for name in "${targets[@]}"; do
  corpus=$build/corpus/$name crashes=$build/crashes/$name log=$build/corpus/$name.log
  mkdir -p "$corpus" "$crashes"
  runs=0 found=0 deadline=$((SECONDS + 86400))
  [ "$amount" = "${amount%s}" ] || deadline=$((SECONDS + ${amount%s}))
  # A crash ends a target, which then goes on with another seed; five are enough to look at.
  while [ "$found" -lt 5 ]; do
    limits=(-max_total_time=$((deadline - SECONDS)))
    [ "$amount" != "${amount%s}" ] || limits=(-runs=$((amount - runs)))
    code=0
    "$build/tests/fuzz/fuzz_$name" "${limits[@]}" -print_final_stats=1 -timeout=20 -rss_limit_mb=4096 -malloc_limit_mb=2048 \
      -reload=0 -artifact_prefix="$crashes/" "$corpus" "tests/fuzz/seeds/$name" >"$log" 2>&1 || code=$?
    count=$(executed "$log") runs=$((runs + ${count:-0}))
    [ "$code" -ne 0 ] || break
    found=$((found + 1))
    if [ "$amount" = "${amount%s}" ]; then
      [ "$runs" -lt "$amount" ] || break
    else
      [ "$SECONDS" -lt "$deadline" ] || break
    fi
  done
  echo "| $name | $runs | $found |"
  total=$((total + runs)) all_crashes=$((all_crashes + found))
done
echo "| **all** | **$total** | **$all_crashes** |"
[ "$all_crashes" -eq 0 ]
