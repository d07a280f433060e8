#!/usr/bin/env bash
# Runs one fuzz target as a test: on its seeds, then on inputs made from them with a fixed random seed, for at most two seconds.
# usage: tests/fuzz/replay.sh FUZZ_TARGET
set -euo pipefail
target=${1:?the fuzz target}
seeds=$(dirname "$0")/seeds/${target##*/fuzz_}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus"
if ! "$target" -seed=1 -runs=10000 -max_total_time=2 -timeout=20 -rss_limit_mb=4096 -artifact_prefix="$work/" "$work/corpus" "$seeds" \
  >"$work/log" 2>&1; then
  cat "$work/log"
  # The input, for a unit test of the parser.
  for input in "$work"/crash-* "$work"/timeout-* "$work"/oom-* "$work"/leak-*; do
    [ ! -f "$input" ] || base64 -w 0 "$input"
  done
  exit 1
fi
