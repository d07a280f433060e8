#!/usr/bin/env bash
# 'down' ends every process of the sandbox, also jobs that hide or refuse to end, and no other process.
. "$(dirname "$0")/lib.sh"

sleep 600 &
bystander=$!
up a --shape tiny
# One that ignores SIGTERM; and one in its own session, without a parent, that knows nothing of the sandbox.
cat >"$work/job" <<END
#!/bin/bash
trap '' TERM
env -i setsid bash -c 'echo \$\$ >$work/hidden; exec sleep 1001' &
disown
echo \$\$ >$work/stubborn
while :; do sleep 1; done
END
on a sbatch --export=NONE --output=/dev/null "$work/job" >/dev/null
wait_for 20 test -s "$work/stubborn" || fail "the job does not begin"
wait_for 20 test -s "$work/hidden" || fail "the hidden process does not begin"
alive "$(<"$work/hidden")" || fail "the hidden process never ran"

"$sandbox" down --dir "$work/a" >/dev/null
equal "what is left" "" "$(mentioning "$work/a")"
for file in hidden stubborn; do
  pid=$(<"$work/$file")
  ! alive "$pid" || fail "a job's process lives on: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
done
[[ ! -e $work/a ]] || fail "the folder is still there"
alive "$bystander" || fail "a process that is not the sandbox's was ended"
kill "$bystander"
