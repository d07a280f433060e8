#!/usr/bin/env bash
# slurmctld is down for ten minutes while a command runs, while a race waits, and at the end of a segment. Each run continues by
# itself or with the next client, and nothing runs twice.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

daemon() { "$root/examples/sandbox/sandbox" daemon "$1" slurmctld --dir "$RV_SANDBOX_DIR"; }
answers() { squeue -h >/dev/null 2>&1; }

busy=$(sbatch --parsable -p gpu-v100 -N 2 --gres=gpu:v100:4 --mem=1G -t 60 -o /dev/null --wrap 'sleep 3000')
(mkdir chained && cd chained && begin --checkpoint --time 2h --segment-time 30m --warn 8m -g 1 -t a40 --name chained "$here/app.sh" 60)
rv run -g 1 -t a6000 --time 2h --name running -f bash -c 'echo ran >>ran; sleep 2400; echo bye; exit 7' >running.out 2>running.err &
following=$!
begin -g 4 -t v100 --single-node --time 10m --name waiting bash -c 'echo ran >>waited; exit 5'
# A segment of 30 minutes is warned after 22: when nobody answers, from minute 15 or so on.
wait_real 60 has_lines chained/steps.0 8 || fail "the chain does not start: $(rv show chained)"
wait_real 60 has_lines ran 1 || fail "the run does not start: $(rv show running)"
state_is waiting queued || fail "the third one does not wait: $(rv show waiting), $busy"
sleep 360 # what the controller has not written down yet when it is killed is another test
daemon kill
sleep 600 # ten minutes without a controller
kill -0 "$following" || fail "the client gave up: $(<running.err)"
state=$(field running "['state']")
[[ "$state" =~ ^(running|unknown)$ ]] || fail "while nobody answers, the run is called $state"
daemon start
wait_real 30 answers || fail "the controller does not come back"

code=0
wait "$following" || code=$?
equal "exit code" 7 "$code"
equal "output" bye "$(<running.out)"
for name in chained waiting; do wait_real 150 over "$name" || fail "$name is not over: $(rv show "$name"); $(squeue)"; done
equal "chain" "done" "$(field chained "['state']")"
each_step_once chained/steps.0 60 || fail "steps: $(cut -d' ' -f1 chained/steps.0 | uniq -c | awk '$1 > 1' | tr '\n' ' ') $(reasons chained)"
one_after_the_other chained || fail "segments at once: $(rv show chained)"
equal "waited" "failed 5" "$(field waiting "['state']") $(field waiting "['exit_code']")"
equal "executions" "1 1" "$(lines_in ran) $(lines_in waited)"
