#!/usr/bin/env bash
# Format, lint and the folders' rules. usage: tests/lint.sh BUILD_FOLDER [--deep]
# --deep adds clang's path-sensitive analyzer, and a check that takes as long as most others together because it looks at
# every function of every header.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder, for compile_commands.json}
export RV_TIDY_CHECKS='--checks=-clang-analyzer-*,-performance-unnecessary-value-param'
[ "${2:-}" != --deep ] || RV_TIDY_CHECKS=--checks=

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

# clang-tidy takes a while: only what is compiled, one file a core, and silence while there is nothing to say. A file that
# it can't read is a fault too, so its exit code decides and not its words.
mapfile -t sources < <(tracked 'base/*.cpp' 'planner/*.cpp' 'slurm/*.cpp' 'templates/*.cpp' 'monitor/*.cpp' 'accept/*.cpp' \
  'settings/*.cpp' 'remote/*.cpp' 'cli/*.cpp')
[ "${#sources[@]}" -gt 0 ]
tidy() {
  local said
  said=$(clang-tidy-14 -p "$1" --quiet "$RV_TIDY_CHECKS" "$2" 2>&1) || {
    printf '%s\n' "$said" | grep -vE '^[0-9]+ warnings? generated|Suppressed|Use -header-filter' >&2
    return 1
  }
}
export -f tidy
compiled() { grep -qF "\"file\": \"$PWD/$1\"" "$build/compile_commands.json"; }
for source in "${sources[@]}"; do
  if compiled "$source"; then printf '%s\0' "$source"; fi
done >"$build/tidy.list"
[ -s "$build/tidy.list" ]
# shellcheck disable=SC2016 # xargs gives the build folder as $0 and a file as $1
xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy "$0" "$1"' "$build" <"$build/tidy.list"
