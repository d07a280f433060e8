#!/usr/bin/env bash
# rv stop ends queued and running runs by ID, prefix or name. It rejects unknown and ambiguous names, and does not touch other
# users' jobs.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

stranger=$(sbatch --parsable -J train -p standard --mem=100M -o /dev/null --wrap 'sleep 300')
exits 0 rv run --name train --time 5m sleep 300
id=$out
running() { [ "$(field "$id" "['state']")" = running ]; }
wait_for 30 running || fail "run does not start"
exits 0 rv stop train
contains answer "$id stopped" "$out"
over() { [ "$(field "$id" "['over']")" = True ]; }
wait_for 30 over || fail "not over after stop: $(rv show "$id")"
equal state stopped "$(field "$id" "['state']")"
exits 0 rv stop "$id"
contains "second stop" "over already" "$out"

# A queued run never starts after stop.
busy=$(occupy gpu-a6000 2 a6000:8)
exits 0 rv run -t a6000 --time 5m bash -c 'echo x >> ran'
queued=$out
exits 0 rv stop "${queued:0:4}"
contains answer "before it started" "$out"
scancel "$busy"
left_queue() { ! squeue -h --me -o %j | grep -qF "@$queued."; }
wait_for 20 left_queue || fail "its jobs stay in the queue: $(squeue)"
equal executions 0 "$(lines_in ran)"

exits 122 rv stop nosuchrun
contains error nosuchrun "$err"
rv run --name twin --time 5m sleep 60 >/dev/null 2>&1
rv run --name twin --time 5m sleep 60 >/dev/null 2>&1
exits 122 rv stop twin
contains "ambiguous" "2 runs" "$err"
# A name takes precedence over a prefix of another run's ID, and the selected run is printed.
rv stop --all >/dev/null
rv run --name other --time 5m sleep 60 >/dev/null 2>&1
other=$(field other "['id']")
rv run --name "${other:0:2}" --time 5m sleep 60 >/dev/null 2>&1
named=$(field "${other:0:2}" "['id']")
exits 0 rv stop "${other:0:2}"
contains "the run of that name" "$named stopped" "$out"
equal "what was taken" "rv: ${other:0:2} is run $named" "$err"
equal "the other one" False "$(field "$other" "['over']")"
# A run that is over is not found by the beginning of its ID.
exits 122 rv stop "${id:0:4}"
contains "why not" "$id (train, over)" "$err"
exits 122 rv stop ""
exits 2 rv stop
exits 0 rv stop --all
equal stranger RUNNING "$(squeue -h -j "$stranger" -o %T)"

# A renamed job still belongs to the run, because of the folder that it writes to.
exits 0 rv run -g 1 -t a40 --time 5m --name renamed sleep 300
id=$out
wait_for 30 running || fail "does not run: $(rv show renamed)"
job=$(squeue -h --me -o '%i %j' | awk -v run="@$id." 'index($2, run) { print $1 }')
scontrol update jobid="$job" jobname=mine
renamed() { [ "$(squeue -h -j "$job" -o %j)" = mine ]; }
wait_for 10 renamed || fail "Slurm does not rename it: $(squeue)"
equal "state" running "$(field "$id" "['state']")"
exits 0 rv stop renamed
gone() { [ -z "$(squeue -h -j "$job" -t RUNNING -o %T 2>/dev/null)" ]; }
wait_for 20 gone || fail "it runs on: $(squeue)"
