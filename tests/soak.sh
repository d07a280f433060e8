#!/usr/bin/env bash
# Runs the tests on a real Slurm several times beside busy loops, and prints a table of tests by failures: an intermittent
# failure is a bug, in the code or in the test. The reports of each round, with the output of failed tests, stay in BUILD/soak.
# usage: soak.sh BUILD [ROUNDS [CTEST ARGUMENTS…]]   (default: 5 rounds of -L slurm; -R NAME for one test)
set -euo pipefail

[ $# -ge 1 ] || { sed -n '2,$ { s/^# //p; t; q }' "$0" >&2 && exit 2; }
build=$(cd "$1" && pwd)
rounds=${2:-5}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- -L slurm
folder=$build/soak
rm -rf "$folder"
mkdir -p "$folder"

# One busy loop per processor: each test gets half of the machine, as on a login node.
load=()
end_load() { [ ${#load[@]} -eq 0 ] || kill "${load[@]}" 2>/dev/null || true; }
trap end_load EXIT
for _ in $(seq "$(nproc)"); do
  while :; do :; done &
  load+=($!)
done

for round in $(seq "$rounds"); do
  ctest --test-dir "$build" --output-junit "$folder/$round.xml" --output-on-failure "$@" >"$folder/$round.log" 2>&1 || true
  [ -s "$folder/$round.xml" ] || { tail -n 20 "$folder/$round.log" >&2 && exit 1; }
  printf 'round %s of %s: %s of %s failed\n' "$round" "$rounds" "$(grep -c 'status="fail"' "$folder/$round.xml" || true)" \
    "$(grep -c '<testcase ' "$folder/$round.xml" || true)" >&2
done
end_load
load=()

printf '%-50s %8s %6s\n' test failures rounds
sed -n 's/.*<testcase name="\([^"]*\)".* status="\([^"]*\)".*/\1 \2/p' "$folder"/*.xml |
  awk '{ ran[$1]++ } $2 == "fail" { failed[$1]++ }
       END { for (test in failed) printf "%-50s %8d %6d\n", test, failed[test], ran[test] }' | sort -k2,2nr -k1,1
! grep -lq 'status="fail"' "$folder"/*.xml
