#!/usr/bin/env bash
# rv is one static binary, and not larger than a fixed size.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
! readelf -d "$RV" | grep -q NEEDED || fail 'needs shared libraries'
! readelf -lW "$RV" | grep -q INTERP || fail 'needs a dynamic loader'
strip -o stripped "$RV"
size=$(stat -c %s stripped)
[ "$size" -lt 10000000 ] || fail "$size bytes stripped"
./stripped --version > "$work/out" || fail 'does not run stripped'
