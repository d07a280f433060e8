#!/usr/bin/env bash
# The mark of a failed copy of --output never exists without the paths that it lists, except on a full disk.
# shellcheck disable=SC2034,SC2154,SC2317 # the script under test reads what is set here and calls these functions
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-mark-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT

mkdir -p "$work/jobs" "$work/output"
mark=$work/jobs/t.copy_failed
rv_outputs=("results of today" models)
RV_RUN_DIR=$work rv_token=t rv_work_folder=$work rv_output=$work/output
rv_await_folder() { :; }
# shellcheck source=templates/launch/outputs.inc.sh
source "$root/templates/launch/outputs.inc.sh"

# Before each command of the function, as a client that polls would.
look() { [ ! -e "$mark" ] || [ -s "$mark" ] || echo "before: $BASH_COMMAND" >>"$work/empty"; }
set -T
trap look DEBUG
rv_copy_outputs 2>/dev/null
trap - DEBUG
set +T
[ ! -e "$work/empty" ] || fail "the mark was there without its paths, $(head -1 "$work/empty")"
equal "the mark" $'missing results of today\nmissing models' "$(<"$mark")"
equal "left in jobs/" t.copy_failed "$(ls -A "$work/jobs")"

rm "$mark"
ln -s /dev/full "$mark.part"
rv_copy_outputs 2>/dev/null
equal "left in jobs/ on a full disk" t.copy_failed "$(ls -A "$work/jobs")"

rv_outputs=()
rv_has_outputs=""
rm "$mark"
rv_copy_outputs
equal "left in jobs/ without --output" "" "$(ls -A "$work/jobs")"
echo "copy_mark: ok"
