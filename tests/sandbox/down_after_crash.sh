#!/usr/bin/env bash
# After the process that holds the daemons was killed, 'down' still finds and ends the daemons and their jobs.
. "$(dirname "$0")/lib.sh"

up a --shape tiny
on a sbatch --output=/dev/null --wrap "echo \$\$ >$work/job; sleep 1000" >/dev/null
wait_for 20 test -s "$work/job" || fail "the job does not begin"
read -r keeper _ <"$work/a/keeper"
kill -KILL "$keeper"
while alive "$keeper"; do sleep 0.05; done
equal status "no sandbox runs in $work/a" "$("$sandbox" status --dir "$work/a" 2>&1)"
[ -n "$(mentioning "$work/a/")" ] || fail "nothing was left, so this tests nothing"

"$sandbox" down --dir "$work/a" >/dev/null
equal "what is left" "" "$(mentioning "$work/a")"
! alive "$(<"$work/job")" || fail "the job lives on"
