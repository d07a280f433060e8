#!/usr/bin/env bash
# slurmctld is started without its saved state while accounting is up. slurmdbd then closes all open jobs as CANCELLED, although nobody
# cancelled them: a waiting race is submitted again, and its command runs once. A job that its user did cancel stays so.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# A recent job would still be listed if it had ended: a controller that does not list it has lost it.
put_back() { keep_ended_jobs 10; }
keep_ended_jobs 300
state=$(scontrol show config | sed -n 's/^StateSaveLocation *= //p')
sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 600' >/dev/null
in_background rv run -g 2 --time 5m --name waiting -f bash -c 'echo ran >>runs; echo hello; exit 7'
client=$!
wait_for 10 state_is waiting queued || fail "not queued: $(rv show waiting)"
wait_for 20 all_submitted waiting || fail "not all candidates have a job: $(rv show waiting)"
rv run -g 2 --time 5m --name unwanted 'echo ran >>unwanted' >/dev/null 2>&1
wait_for 20 all_submitted unwanted || fail "not all candidates have a job: $(rv show unwanted)"
in_accounting() { [ "$(sacct -X -n -P -s PD -o JobName | grep -c "^$1@")" -gt 0 ]; }
wait_for 30 in_accounting waiting || fail "accounting does not have the race: $(sacct)"
wait_for 30 in_accounting unwanted || fail "accounting does not have the race: $(sacct)"
squeue -h --me -o '%i %j' | sed -n 's/ unwanted@.*//p' | xargs scancel
cancelled() { [ "$(sacct -X -n -P -o JobName,State | grep '^unwanted@' | grep -vc 'CANCELLED by')" = 0 ]; }
wait_for 30 cancelled || fail "accounting does not know who cancelled: $(sacct -X)"

fault kill slurmctld
rm -rf "${state:?}"/*
fault start slurmctld
client_ended "$client" 7 hello
contains "what the user sees" "the controller restarted without its jobs" "$(<"$work/err")"
wait_for 60 over unwanted || fail "not over: $(rv show unwanted)"
equal "state of what its user cancelled" stopped "$(field unwanted "['state']")"
[ ! -e unwanted ] || fail "the cancelled run was started"
