#!/usr/bin/env bash
# How long a build takes: all of it cold, without ccache, and rv again after one command's file has changed.
# usage: build_time.sh [JOBS]   (default: one a processor)
set -euo pipefail
cd "$(dirname "$0")/../.."
jobs=${1:-$(nproc)}
build=$(mktemp -d "${TMPDIR:-/tmp}/rv-build-XXXXXX")
changed=cli/commands/follow_runs/ps.cpp
held=$(mktemp)
cp -p "$changed" "$held"
trap 'cp -p "$held" "$changed"; rm -rf "$held" "$build"' EXIT

seconds() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f", to - from }'; }
now() { date +%s.%N; }

export CCACHE_DISABLE=1
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release >/dev/null
printf '%-34s %8s %8s\n' build seconds limit
from=$(now)
cmake --build "$build" -j "$jobs" >/dev/null
printf '%-34s %8s %8s\n' "all, cold, $jobs jobs" "$(seconds "$from" "$(now)")" 240
echo "// changed" >>"$changed"
from=$(now)
cmake --build "$build" --target rv -j "$jobs" >/dev/null
printf '%-34s %8s %8s\n' "rv after $(basename "$changed")" "$(seconds "$from" "$(now)")" 8
