#!/usr/bin/env bash
# planner/ decides on values: it includes the standard library and itself, and no header through which a clock, file,
# environment or process could come in. usage: pure.sh FOLDER
set -euo pipefail
folder=${1:?the planner folder}

allowed='algorithm|array|atomic|bit|charconv|chrono|cmath|compare|cstddef|cstdint|functional|initializer_list|iterator|limits|'
allowed+='map|memory|numeric|optional|queue|random|ratio|set|span|stdexcept|string|string_view|thread|tuple|type_traits|'
allowed+='unordered_map|unordered_set|utility|variant|vector'

shopt -s nullglob
files=("$folder"/*.h "$folder"/*.cpp)
if [ "${#files[@]}" -eq 0 ]; then
  echo "no source in $folder" >&2
  exit 1
fi

broken=0
report() {
  echo "$1" >&2
  sed 's/^/  /' >&2
  broken=1
}
includes=$(grep -nE '^[[:space:]]*#[[:space:]]*include' "${files[@]}" |
  grep -vE "#[[:space:]]*include[[:space:]]+(\"planner/[a-z_]+\.h\"|<($allowed)>)" || true)
if [ -n "$includes" ]; then report "planner/ may include only these and itself: $allowed" <<<"$includes"; fi

# What the allowed headers offer of the outside world.
outside=$(grep -nE '\b(system_clock|steady_clock|high_resolution_clock|random_device|getenv|current_zone)\b' \
  "${files[@]}" || true)
if [ -n "$outside" ]; then report "planner/ gets time and chance as values:" <<<"$outside"; fi
exit "$broken"
