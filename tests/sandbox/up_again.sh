#!/usr/bin/env bash
# 'up' on a running sandbox of the same shape succeeds, of another shape it is rejected, and folders that are not sandboxes stay
# untouched.
. "$(dirname "$0")/lib.sh"

up a --shape tiny
read -r keeper <"$work/a/keeper"
up a --shape tiny
contains "up again" 'already running' "$(<"$work/a.up")"
! "$sandbox" up --dir "$work/a" --shape afton >/dev/null 2>&1 || fail "another shape is taken for the same"
! "$sandbox" up --dir "$work/a" --shape tiny --speed 60 >/dev/null 2>&1 || fail "another speed is taken for the same"
equal keeper "$keeper" "$(<"$work/a/keeper")"
"$sandbox" status --dir "$work/a" >/dev/null || fail "it runs no more"

mkdir "$work/mine"
touch "$work/mine/file"
! "$sandbox" up --dir "$work/mine" >/dev/null 2>&1 || fail "it took a folder that is not its own"
"$sandbox" down --dir "$work/mine" >/dev/null
[ -e "$work/mine/file" ] || fail "it removed a folder that is not its own"
