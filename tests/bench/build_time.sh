#!/usr/bin/env bash
# How long a build takes: all of it cold, without ccache, and rv again after one command's file has changed, as people build
# who use rv (sources together) and who work on it (file by file). The processor's seconds tell where a busy machine's clock
# does not.
# usage: build_time.sh [JOBS]   (default: one a processor)
set -euo pipefail
cd "$(dirname "$0")/../.."
jobs=${1:-$(nproc)}
build=$(mktemp -d "${TMPDIR:-/tmp}/rv-build-XXXXXX")
changed=cli/commands/follow_runs/ps.cpp
held=$(mktemp)
cp -p "$changed" "$held"
trap 'cp -p "$held" "$changed"; rm -rf "$held" "$build"' EXIT

# row WHAT LIMIT COMMAND…: how long it takes.
row() {
  local what=$1 limit=$2 taken real user system
  shift 2
  taken=$(TIMEFORMAT='%R %U %S' && { time "$@" >/dev/null 2>"$build/said"; } 2>&1) || { cat "$build/said" >&2 && return 1; }
  read -r real user system <<<"$taken"
  printf '%-30s %8.1f %8.1f %8.1f %8s\n' "$what" "$real" "$user" "$system" "$limit"
}

export CCACHE_DISABLE=1
printf '%-30s %8s %8s %8s %8s\n' build seconds user system limit
cmake -S . -B "$build/together" -DCMAKE_BUILD_TYPE=Release -DRV_TOGETHER=ON >/dev/null
row "all, cold, $jobs jobs" 240 cmake --build "$build/together" -j "$jobs"
cmake -S . -B "$build/alone" -DCMAKE_BUILD_TYPE=Release -DRV_TOGETHER=OFF >/dev/null
row "rv, cold, file by file" - cmake --build "$build/alone" --target rv -j "$jobs"
echo "// changed" >>"$changed"
row "$(basename "$changed") changed" 8 cmake --build "$build/alone" --target rv -j "$jobs"
row "the same, together" - cmake --build "$build/together" --target rv -j "$jobs"
