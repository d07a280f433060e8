#!/usr/bin/env bash
# Runs built fuzz targets in parallel and prints a table of executions and crashes. Exits with 1 after a crash.
# usage: run_targets.sh EXECUTIONS|SECONDSs [TARGET…]     executions of each target, or its time
# Reads bin/fuzz_TARGET and seeds/TARGET, writes corpus/TARGET and crashes/TARGET. If lib/ exists, the loader there starts the programs.
#   RV_FUZZ_FOLDER   the folder that contains these (default: the folder of this script)
#   RV_FUZZ_JOBS     number of parallel processes (default: all processors)
set -euo pipefail
self=$(realpath "$0")
cd "${RV_FUZZ_FOLDER:-$(dirname "$self")}"

# Addresses that are not randomised: clang 14's AddressSanitizer can't place its shadow where a kernel randomises 32 bits.
start=()
! setarch -R true 2>/dev/null || start=(setarch -R)
[ ! -d lib ] || start+=("$PWD/lib/ld-linux-x86-64.so.2" --library-path "$PWD/lib")
# Exceptions are most of the work: a short record of each allocation, and a small store of freed memory.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2:quarantine_size_mb=16}

# The executions of a log, of all its shards' logs.
executed() { sed -n 's/^stat::number_of_executed_units: *//p' "$@" | awk '{ sum += $1 } END { print sum + 0 }'; }

# run_shard TARGET NUMBER AMOUNT: a part of a target's executions, with its own corpus.
run_shard() {
  local name=$1 number=$2 amount=$3 code count deadline found=0 limits runs=0
  local work=shards/$name.$number
  mkdir -p "$work/corpus" "corpus/$name" "crashes/$name"
  deadline=$((SECONDS + 86400))
  [ "$amount" = "${amount%s}" ] || deadline=$((SECONDS + ${amount%s}))
  # A crash ends a target, which then continues with another seed; five are enough to look at.
  while [ "$found" -lt 5 ]; do
    limits=(-max_total_time=$((deadline - SECONDS)))
    [ "$amount" != "${amount%s}" ] || limits=(-runs=$((amount - runs)))
    code=0
    "${start[@]}" "bin/fuzz_$name" "${limits[@]}" -print_final_stats=1 -timeout=20 -rss_limit_mb=4096 -malloc_limit_mb=2048 \
      -reload=0 -artifact_prefix="crashes/$name/" "$work/corpus" "seeds/$name" "corpus/$name" >"$work/log.$found" 2>&1 || code=$?
    count=$(executed "$work/log.$found")
    runs=$((runs + count))
    [ "$code" -ne 0 ] || break
    found=$((found + 1))
    [ "$count" -gt 0 ] || break  # it does not even start
    if [ "$amount" = "${amount%s}" ]; then
      [ "$runs" -lt "$amount" ] || break
    else
      [ "$SECONDS" -lt "$deadline" ] || break
    fi
  done
  echo "$runs $found" >"$work/result"
}

if [ "${1:-}" = --shard ]; then
  run_shard "$2" "$3" "$4"
  exit
fi

amount=${1:-}
case $amount in
  *[!0-9s]* | s* | "" | *s?*) echo "usage: ${0##*/} EXECUTIONS|SECONDSs [TARGET…]" >&2 && exit 2 ;;
esac
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for program in bin/fuzz_*; do targets+=("${program#bin/fuzz_}"); done
fi
jobs=${RV_FUZZ_JOBS:-$(nproc)}
# Where a process may not trace its threads, leaks can't be looked for.
probe=$("${start[@]}" "bin/fuzz_${targets[0]}" -runs=1 "seeds/${targets[0]}" 2>&1) || true
[[ $probe != *"LeakSanitizer has encountered a fatal error"* ]] || export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
rm -rf shards
mkdir -p shards

# Parts of 20,000 executions at least, so that one slow target does not hold up the end.
shards=1
if [ "$amount" = "${amount%s}" ]; then
  shards=$((amount / 20000))
  [ "$shards" -le "$jobs" ] || shards=$jobs
  [ "$shards" -ge 1 ] || shards=1
fi
for ((number = 0; number < shards; ++number)); do
  for name in "${targets[@]}"; do
    part=$amount
    [ "$amount" != "${amount%s}" ] || part=$((amount / shards + (number < amount % shards ? 1 : 0)))
    printf '%s\0' "$name" "$number" "$part"
  done
done | RV_FUZZ_FOLDER=$PWD xargs -0 -n 3 -P "$jobs" bash "$self" --shard

total=0 all_crashes=0
echo "| parser | executions | crashes |"
echo "| --- | ---: | ---: |"
for name in "${targets[@]}"; do
  read -r runs found < <(cat "shards/$name".*/result | awk '{ runs += $1; found += $2 } END { print runs + 0, found + 0 }')
  # What was learnt, for the next time.
  find "shards/$name".*/corpus -type f -exec cp -n -t "corpus/$name" {} +
  echo "| $name | $runs | $found |"
  total=$((total + runs)) all_crashes=$((all_crashes + found))
done
echo "| **all** | **$total** | **$all_crashes** |"
[ "$all_crashes" -eq 0 ]
