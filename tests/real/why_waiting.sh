#!/usr/bin/env bash
# rv why of a waiting run prints its position in the queue, its expected start, and a command that would start sooner.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# why RUN EXPRESSION: of the document's "waiting", called w.
why() { rv why "$1" --json | python3 -c "import json,sys; w = json.load(sys.stdin)['waiting']; print($2)"; }

# Without a history: jobs run to their limits, whatever other tests left in the accounting.
mkdir -p "$RV_HOME"
: >"$RV_HOME/history"
busy=$(occupy gpu-a6000 2 a6000:8)
ahead=$(sbatch --parsable -J ahead -p gpu-a6000 --gres=gpu:a6000:8 --mem=1G -t 1:00:00 -o /dev/null --wrap 'sleep 600')
rv run -t a6000 -g 4 --time 2h --name waiter sleep 300 >/dev/null 2>&1
queued() { [ "$(field "$1" "['state']")" = queued ]; }
wait_for 20 queued waiter || fail "does not wait: $(rv show waiter)"

equal "place" 2 "$(why waiter "w['queue'][0]['place']")"
equal "GPUs ahead" 8 "$(why waiter "w['queue'][0]['gpus_ahead']")"
equal "start within the hour" True "$(why waiter "3000 < w['start']['p50_s'] < 4000")"
told=$(rv why waiter)
contains "start" "start  in about " "$told"
contains "queue" "place 2 of 2; ahead: 1 job with 8 GPUs (yours: 1)" "$told"

# The way out is a command that can be pasted.
command=$(why waiter "[s['command'] for s in w['sooner'] if s['change'] == 'other_type'][0]")
id=$(field waiter "['id']")
case $command in "rv rerun $id -t "*) ;; *) fail "the command: $command" ;; esac
bash -c "rv() { \"\$RV\" \"\$@\"; }; $command --name again" >/dev/null 2>&1
runs_now() { [ "$(field "$1" "['state']")" = running ]; }
wait_for 30 runs_now again || fail "does not start: $(rv show again)"

# For a run that follows another one, the other's start or end.
rv run -g 1 --time 5m --name next --after again true >/dev/null 2>&1
wait_for 20 queued next || fail "does not wait: $(rv show next)"
equal "what it follows" "$(field again "['id']")" "$(why next "w['after']['run']")"
equal "latest end" True "$(why next "0 < w['after']['end']['latest_s'] <= 7200")"
contains "in words" " at the latest" "$(rv why next)"
rv run -g 1 --time 5m --name later --after waiter true >/dev/null 2>&1
contains "of one that waits" "waiter ($id): queued, starts in about " "$(rv why later)"

# A run that has started shows nothing about the queue.
equal "running" None "$(why again w)"
# What cannot be predicted leaves the rest as it was.
scancel "$busy" "$ahead"
wait_for 30 runs_now waiter || fail "does not start: $(rv show waiter)"

# A begin time comes before what the queue says.
rv run -t a100 -g 1 --time 5m --name evening --sbatch begin=now+5hours true >/dev/null 2>&1
wait_for 20 queued evening || fail "does not wait: $(rv show evening)"
contains "begin time" "start  in about 5h" "$(rv why evening)"
