#!/usr/bin/env bash
# rv exec --timeout ends every process that the command started, with TERM and then KILL.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
begin=$(date +%s)
exits 124 rv exec --timeout 1s sleep 60
contains stderr 'sleep was ended after 1s (--timeout)' "$err"
[ $(($(date +%s) - begin)) -lt 4 ] || fail 'took too long'

# A tree: a child in another session, one in the background, all gone afterwards.
nap=61.$$ # nobody else sleeps for so long
cat > tree.sh << X
setsid sleep $nap &
(sleep $nap &)
sleep $nap
X
exits 124 rv exec --timeout 1 bash tree.sh
tree_is_gone() { ! pgrep -f "sleep $nap\$" > /dev/null; }
wait_for 5 tree_is_gone || fail 'something of the tree is left'

# TERM comes first and may be used for an orderly end.
cat > orderly.sh << 'X'
trap 'echo orderly; exit 0' TERM
sleep 30 &
wait
X
exits 124 rv exec --timeout 1 bash orderly.sh
equal stdout orderly "$out"

# Who ignores TERM is killed after the grace of five seconds.
begin=$(date +%s)
exits 124 rv exec --timeout 1 bash -c 'trap "" TERM; while :; do sleep 0.1; done'
took=$(($(date +%s) - begin))
{ [ "$took" -ge 5 ] && [ "$((took * 1000))" -le "$(patience 9000)" ]; } || fail "KILL came after $took s"

exits 5 rv exec --timeout 30 sh -c 'exit 5'
for bad in 0 soon -3; do
  exits 2 rv exec --timeout "$bad" true
  contains stderr '--timeout' "$err"
done
