#!/usr/bin/env bash
# How long a build takes: all of it cold, without ccache, and rv again after one command's file has changed. The processor's
# seconds tell where a busy machine's clock does not.
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
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release >/dev/null
printf '%-30s %8s %8s %8s %8s\n' build seconds user system limit
row "all, cold, $jobs jobs" 240 cmake --build "$build" -j "$jobs"
echo "// changed" >>"$changed"
row "rv after $(basename "$changed")" 8 cmake --build "$build" --target rv -j "$jobs"
