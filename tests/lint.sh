#!/usr/bin/env bash
# Checks format, lint and the rules of the folders. usage: tests/lint.sh BUILD_FOLDER [--deep]
# --deep reads each file on its own, which takes half as long again, and adds clang's path-sensitive analyzer and the slowest
# checks, which examine each name and function of each header.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder, for compile_commands.json}
export RV_TIDY_CHECKS='--checks=-clang-analyzer-*,-performance-unnecessary-value-param,-bugprone-reserved-identifier'
RV_TIDY_CHECKS+=',-bugprone-stringview-nullptr,-bugprone-undelegated-constructor,-bugprone-suspicious-string-compare'
RV_TIDY_CHECKS+=',-bugprone-assert-side-effect'
[ "${2:-}" != --deep ] || RV_TIDY_CHECKS=--checks=

# The tracked files that match; none at all means that git could not tell, and an empty check is not a check.
tracked() {
  local files
  files=$(git ls-files "$@")
  [ -n "$files" ] || { echo "lint.sh: git lists no files for: $*" >&2 && exit 1; }
  printf '%s\n' "$files"
}

mapfile -t code < <(tracked '*.h' '*.cpp' '*.cu' '*.cuh')
[ "${#code[@]}" -gt 0 ]
clang-format-14 --dry-run -Werror "${code[@]}"

# The wording of texts, and the messages of commits.
python3 tests/phrases.py

# The development container has what CI has.
packages() { grep -o 'packages\.sh install [a-z ]*' "$1" | sed 's/ *$//'; }
[ "$(packages Containerfile)" = "$(packages tests/run.sh)" ] ||
  { echo "lint.sh: Containerfile installs other groups of tests/packages.sh than tests/run.sh does" >&2 && exit 1; }

# The templates are checked once rendered, by their unit test.
mapfile -t scripts < <(tracked '*.sh' '*.bash' ':!templates' .ci/run examples/sandbox/sandbox)
[ "${#scripts[@]}" -gt 0 ]
shellcheck -x "${scripts[@]}"

# A test that gives a word of the assertions another meaning breaks those that are made of it.
words=$(sed -n 's/^\([a-z_]*\)() {.*/\1/p' tests/assertions.sh | paste -sd'|')
[ -n "$words" ]
if git grep -nE "^ *($words)\(\)" -- 'tests/*.sh' 'tests/*.bash' ':!tests/assertions.sh'; then
  echo "lint.sh: these are words of tests/assertions.sh: call them something else" >&2 && exit 1
fi

# What CMakePresets.json offers can be configured.
mkdir -p "$build/lint"
mapfile -t presets < <(cmake --list-presets | sed -n 's/^  "\([^"]*\)" .*/\1/p')
[ "${#presets[@]}" -gt 0 ]
for preset in "${presets[@]}"; do
  cmake --preset "$preset" -B "$build/lint/preset" --fresh >"$build/lint/preset.log" 2>&1 ||
    { cat "$build/lint/preset.log" >&2 && exit 1; }
done

# clang-tidy takes a while, nearly all of it in headers: the linter reads files with the same options 48 at a time
# (tests/lint_batches.py), and with --deep one by one. Silence while there is nothing to say. A file that it can't read is a
# fault too, so its exit code decides and not its words. The headers are read with the sources; one that no source includes
# would go unread. Not for *.cu: clang 14 can't read the headers of CUDA 12 and later; nvcc's warnings and those of the
# host's compiler are errors there. What this build leaves out (no nvcc, no NCCL, no cuDNN) is not read.
mapfile -t sources < <(tracked '*.cpp' ':!tests' ':!cmake' ':!examples')
[ "${#sources[@]}" -gt 0 ]
# How each file is compiled alone, and without GCC's precompiled headers, which are nothing to clang. What the build generates
# is read where the build has it.
build=$(cd "$build" && pwd)
cmake -S . -B "$build/lint/alone" -DRV_PRECOMPILED=OFF -DRV_BUILD_TESTS=OFF >"$build/lint/alone.log" 2>&1 ||
  { cat "$build/lint/alone.log" >&2 && exit 1; }
sed "s#$build/lint/alone/#$build/#g" "$build/lint/alone/compile_commands.json" >"$build/lint/compile_commands.json"
# tidy FOLDER FILE [ARGUMENT…]: FOLDER has its compile commands.
tidy() {
  local said
  said=$(clang-tidy-14 -p "$1" --quiet "$RV_TIDY_CHECKS" "${@:3}" "$2" 2>&1) || {
    printf '%s\n' "$said" | grep -vE '^[0-9]+ warnings? generated|Suppressed|Use -header-filter'
    return 1
  }
}
# read_batch FOLDER BATCH SOURCE…: the sources of a batch that does not compile are linted one by one, which decides.
read_batch() {
  local said
  local words=(--config-file=.clang-tidy --extra-arg=-Wno-shadow "--header-filter=^$PWD/.*\\.(h|cpp)$")
  said=$(RV_TIDY_CHECKS+=,-bugprone-suspicious-include tidy "$1/batches" "$2" "${words[@]}") && return
  if ! grep -qF '[clang-diagnostic-error]' <<<"$said"; then printf '%s\n' "$said" && return 1; fi
  echo "lint.sh: $(($# - 2)) files are read alone, ten times as slow: $(grep -m 1 -F '[clang-diagnostic-error]' <<<"$said")"
  local source failed=0
  for source in "${@:3}"; do tidy "$1" "$source" || failed=1; done
  return "$failed"
}
export -f tidy read_batch
compiled() { grep -qF "\"file\": \"$PWD/$1\"" "$build/lint/compile_commands.json"; }
included() { git grep -qF "#include \"$1\"" -- '*.cpp' '*.h' '*.cu' ':!tests'; }
mapfile -t headers < <(tracked '*.h' ':!tests')
for header in "${headers[@]}"; do
  included "$header" || { echo "lint.sh: no source includes $header" >&2 && exit 1; }
done

# Each header compiles alone. That of a source stands first in it, and so the build compiles it; the others, and those of the tests, are compiled here. Who includes only what this build leaves out is left
# out, too.
first() { grep -m 1 '^#include' "$1"; }
read_first() { compiled "${1%.h}.cpp" && [ "$(first "${1%.h}.cpp")" = "#include \"$1\"" ]; }
built() {
  local file
  for file in $(git grep -lF "#include \"$1\"" -- '*.cpp' '*.cu'); do ! compiled "$file" || return 0; done
  return 1
}
alone() {
  g++ -std=c++20 -fsyntax-only -w -I. -I"$0/base/generated" -I/usr/local/cuda/include -DRV_TEST_DATA='""' -DRV_ROOT='""' \
    -x c++ "$1" || { echo "lint.sh: $1 does not compile alone" >&2 && return 1; }
}
export -f alone
mapfile -t test_headers < <(tracked 'tests/*.h')
for header in "${headers[@]}"; do
  if ! read_first "$header" && built "$header"; then printf '%s\0' "$header"; fi
done >"$build/lint/headers"
printf '%s\0' "${test_headers[@]}" >>"$build/lint/headers"
# shellcheck disable=SC2016 # xargs gives the build folder as $0 and a file as $1
xargs -0 -n 1 -P "$(nproc)" bash -c 'alone "$1"' "$build" <"$build/lint/headers"

for source in "${sources[@]}"; do
  if compiled "$source"; then printf '%s\n' "$source"; fi
done >"$build/lint/sources"
[ -s "$build/lint/sources" ]
if [ "${2:-}" = --deep ]; then
  # shellcheck disable=SC2016 # xargs gives the build folder as $0 and a file as $1
  xargs -d '\n' -n 1 -P "$(nproc)" bash -c 'tidy "$0" "$1"' "$build/lint" <"$build/lint/sources"
else
  tests/lint_batches.py "$build/lint" <"$build/lint/sources" >"$build/lint/batches.txt"
  # shellcheck disable=SC2016 # xargs gives the build folder as $0 and a batch as $1
  xargs -d '\n' -n 1 -P "$(nproc)" bash -c 'IFS=$'"'\\t'"' read -ra batch <<<"$1"; read_batch "$0" "${batch[@]}"' "$build/lint" \
    <"$build/lint/batches.txt"
fi
