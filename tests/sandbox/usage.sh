#!/usr/bin/env bash
# Wrong words end with exit status 2 and a hint; help with 0; asking about nothing with 1.
. "$(dirname "$0")/lib.sh"

status_of() {
  local status=0
  "$sandbox" "$@" >"$work/said" 2>&1 || status=$?
  echo "$status"
}
expect 0 status_of --help
expect 2 status_of
expect 2 status_of upp
grep -q "unknown command 'upp'" "$work/said" || fail "it says: $(cat "$work/said")"
expect 2 status_of up --sped 3
expect 2 status_of up --speed 0
expect 2 status_of up --shape nowhere
expect 2 status_of down --shape tiny
expect 2 status_of run --dir "$work/a" --
expect 1 status_of run --dir "$work/a" -- true
expect 1 status_of status --dir "$work/a"
expect 0 status_of down --dir "$work/a"
