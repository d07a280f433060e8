#!/usr/bin/env bash
# Format, lint and the folders' rules. usage: tests/lint.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder, for compile_commands.json}

# The tracked files that match; none at all means that git could not tell, and an empty check is no check.
tracked() {
  local files
  files=$(git ls-files "$@")
  [ -n "$files" ] || { echo "lint.sh: git lists no files for: $*" >&2 && exit 1; }
  printf '%s\n' "$files"
}

mapfile -t code < <(tracked '*.h' '*.cpp' '*.cu' '*.cuh')
[ "${#code[@]}" -gt 0 ]
clang-format-14 --dry-run -Werror "${code[@]}"

mapfile -t scripts < <(tracked '*.sh' .ci/run examples/sandbox/sandbox)
[ "${#scripts[@]}" -gt 0 ]
shellcheck -x "${scripts[@]}"

# clang-tidy takes a while: only what is compiled, all cores.
mapfile -t sources < <(tracked 'planner/*.cpp' 'slurm/*.cpp' 'templates/*.cpp' 'monitor/*.cpp' 'cli/*.cpp')
[ "${#sources[@]}" -gt 0 ]
printf '%s\0' "${sources[@]}" | xargs -0 -n 4 -P "$(nproc)" clang-tidy-14 -p "$build" --quiet 2>/dev/null
