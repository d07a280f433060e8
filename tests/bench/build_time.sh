#!/usr/bin/env bash
# Measures build times without ccache: of what examples/quickstart.sh builds, of everything with the tests, and of rv after a
# change of one command's file. The times of the whole build are also listed by part. "limit" is the limit in seconds of the
# clock on two idle cores; "cpu" is user plus system seconds, which count on a busy machine.
# usage: build_time.sh [JOBS]   (default: one per processor)
set -euo pipefail
cd "$(dirname "$0")/../.."
jobs=${1:-$(nproc)}
build=$(mktemp -d "${TMPDIR:-/tmp}/rv-build-XXXXXX")
changed=cli/commands/follow_runs/ps.cpp
held=$(mktemp)
cp -p "$changed" "$held"
trap 'cp -p "$held" "$changed"; rm -rf "$held" "$build"' EXIT

# row WHAT LIMIT CPU COMMAND…: prints how long the command takes, and both limits.
row() {
  local what=$1 limit=$2 cpu=$3 taken real user system
  shift 3
  taken=$(TIMEFORMAT='%R %U %S' && { time "$@" >/dev/null 2>"$build/said"; } 2>&1) || { cat "$build/said" >&2 && return 1; }
  read -r real user system <<<"$taken"
  printf '%-30s %8.1f %8.1f %8.1f %8s %8s\n' "$what" "$real" "$user" "$system" "$limit" "$cpu"
}

# Each command of a build goes through `timed LOG PART TARGET COMMAND…`, which writes a line into LOG: PART TARGET USER SYSTEM.
cat >"$build/timed" <<'S'
#!/bin/bash
log=$1 TIMEFORMAT="$2 $3 %U %S"
shift 3
{ time "$@" 2>&3; } 3>&2 2>>"$log"
S
chmod +x "$build/timed"
cat >"$build/timed.cmake" <<S
set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE "$build/timed $build/times <LANGUAGE> <TARGET_NAME>")
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "$build/timed $build/times link <TARGET_NAME>")
S

# What $build/times has, by part.
parts() {
  awk '{ part = "rv" }
       $2 ~ /^rv_(workers|on_gloo|older)|^rv-/ { part = "workers" }
       $2 ~ /_test$|_check$|_model$|^(rv_doctest|rv_dynamic|score_waits|plan_scale|read_.*|watch_load|follow_logs)$/ { part = "tests" }
       $2 ~ /^rv_precompiled/ { part = "precompiled headers" }
       $1 == "CUDA" { part = "CUDA" }
       $1 == "link" { part = "linking" }
       { commands[part]++; user[part] += $3; kernel[part] += $4 }
       END { for (part in user) printf "  %-22s %5d %17.1f %8.1f\n", part, commands[part], user[part], kernel[part] }' "$build/times" | sort
}

export CCACHE_DISABLE=1 CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
printf '%-30s %8s %8s %8s %8s %8s\n' build seconds user system limit cpu
row "configuration" - - cmake -S . -B "$build/quick" -DCMAKE_BUILD_TYPE=Release -DRV_BUILD_TESTS=OFF
row "quickstart: rv, $jobs jobs" 225 - cmake --build "$build/quick" --target rv -j "$jobs"
printf '\n// changed\n' >>"$changed"
row "$(basename "$changed") changed" 8 - cmake --build "$build/quick" --target rv -j "$jobs"
cp -p "$held" "$changed"
cmake -S . -B "$build/all" -DCMAKE_BUILD_TYPE=Release -DRV_BUILD_TESTS=ON "-DCMAKE_PROJECT_INCLUDE=$build/timed.cmake" >/dev/null
row "everything, $jobs jobs" 540 1020 cmake --build "$build/all" -j "$jobs"
parts
