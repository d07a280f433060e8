#!/usr/bin/env bash
# Runs the tests of what can differ between releases of Slurm on each given release: tests/releases, and those of tests/real and
# tests/faults that depend on Slurm's output and behaviour.
# usage: RV=rv tests/releases.sh DIR|ARCHIVE…
# DIR contains a release in its bin and sbin. An ARCHIVE (slurm-VERSION-….tar.xz) is first unpacked at /, where it belongs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
: "${RV:=$root/build/cli/rv}"
export RV
[ "$#" -gt 0 ] || { sed -n 's/^# //p' "$0" | head -n 4 >&2 && exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/rv-rel-XXXX")
chmod 0711 "$work" # other users' jobs and questions pass through
sandbox=$root/examples/sandbox/sandbox
trap '"$sandbox" down --dir "$work/sb" >/dev/null; rm -rf "$work"' EXIT

own=("$root"/tests/releases/*.sh)
others=(real/up_run real/short_job real/array real/requeue real/stop real/hold real/after real/why real/logs)
failed=0

# try TEST: its name, how it went and how long it took; its words where it failed.
try() {
  local began=$SECONDS word=passed
  if ! timeout 180 bash "$1" >"$work/log" 2>&1; then
    word=FAILED failed=1
  fi
  printf '  %-32s %s %4d s\n' "$(basename "$(dirname "$1")")/$(basename "$1" .sh)" "$word" $((SECONDS - began))
  [ "$word" = passed ] || tail -n 30 "$work/log"
}

for release in "$@"; do
  if [ -f "$release" ]; then
    name=$(basename "$release")
    name=${name%%-debian*}
    [ -d "/opt/$name" ] || tar xJf "$release" -C /
    release=/opt/$name
  fi
  began=$SECONDS
  "$sandbox" up --shape "$root/tests/releases/releases.yaml" --slurm "$release" --dir "$work/sb" >"$work/up" 2>&1 ||
    { cat "$work/up" && exit 1; }
  export RV_SANDBOX_DIR=$work/sb
  echo "$("$sandbox" run --dir "$work/sb" -- sinfo --version):"
  for test in "${own[@]}"; do
    [ "$(basename "$test")" = lib.sh ] || try "$test"
  done
  for test in "${others[@]}"; do try "$root/tests/$test.sh"; done
  "$sandbox" down --dir "$work/sb" >/dev/null
  echo "  all in $((SECONDS - began)) s"
done
exit "$failed"
