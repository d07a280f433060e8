#!/usr/bin/env bash
# Format, lint and the folders' rules. usage: tests/lint.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder, for compile_commands.json}

mapfile -t code < <(git ls-files '*.h' '*.cpp' '*.cu' '*.cuh')
clang-format-14 --dry-run -Werror "${code[@]}"

mapfile -t scripts < <(git ls-files '*.sh' .ci/run examples/sandbox/sandbox)
shellcheck -x "${scripts[@]}"

# clang-tidy takes a while: only what is compiled, all cores.
mapfile -t sources < <(git ls-files 'planner/*.cpp' 'slurm/*.cpp' 'templates/*.cpp' 'monitor/*.cpp' 'cli/*.cpp')
printf '%s\0' "${sources[@]}" | xargs -0 -n 4 -P "$(nproc)" clang-tidy-14 -p "$build" --quiet 2>/dev/null
