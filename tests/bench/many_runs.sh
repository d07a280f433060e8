#!/usr/bin/env bash
# How long rv takes with thousands of runs that ended, on a file system with 2 ms a call, beside the limit of 100 ms.
# usage: many_runs.sh BUILD [RUNS]   (default: 10000; rv gc needs Slurm, such as examples/sandbox)
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,$ { s/^# //p; t; q }' "$0" >&2 && exit 2; }
build=$(cd "$1" && pwd) runs=${2:-10000}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export RV_HOME=$home/rv RV_SITE=/dev/null
mkdir -m 700 "$RV_HOME"
python3 "$(dirname "$0")/../slow_files/many_runs.py" "$RV_HOME" "$runs"

# row LABEL US ARGUMENTS…: the least of three times, and the calls of the file system.
row() {
  local label=$1 least='' begun spent
  export SLOW_FILES_US=$2 SLOW_FILES_IN=$RV_HOME SLOW_FILES_COUNT=$home/count
  shift 2
  for _ in 1 2 3; do
    begun=$(date +%s%N)
    LD_PRELOAD=$build/tests/slow_files/libslow_files.so "$build/tests/rv_dynamic" "$@" >"$home/out" 2>&1 ||
      { printf '%-22s %s\n' "$label" "$(head -n 1 "$home/out")" && return; }
    spent=$((($(date +%s%N) - begun) / 1000000))
    [ -n "$least" ] && [ "$least" -le "$spent" ] || least=$spent
    [[ $label != *first ]] || break
  done
  printf '%-22s %8s %8s %10s\n' "$label" "$(<"$home/count")" "$least" "$(awk "BEGIN { printf \"%.2f\", $least / 100 }")"
}
printf '%s runs, 2 ms a call (0 ms in the lines "first")\n%-22s %8s %8s %10s\n' "$runs" command calls ms '/ 100 ms'
row 'rv ps, first' 0 ps
row 'rv ps' 2000 ps
row 'rv show RUN' 2000 show train-12
row 'rv show JOB' 2000 show 4077
row 'completion of runs' 2000 --words runs
row 'rv gc -n, first' 0 gc -n
row 'rv gc -n' 2000 gc -n
