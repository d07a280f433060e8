#!/usr/bin/env bash
# A run with --after starts after the end of its predecessor, does not start after a failure unless :any was given, and needs no
# client for this.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

over() { [ "$(field "$1" "['over']")" = True ]; }
ends() { wait_for "$2" over "$1" || fail "$1 is not over: $(rv show "$1")"; }

rv run -g 1 --time 5m --name first 'until [ -e seen ]; do sleep 0.1; done; echo first >>order' >/dev/null 2>&1
rv run -g 1 --time 5m --name second --after first 'echo second >>order' >/dev/null 2>&1
rv run -g 1 --time 5m --name third --after second:any 'echo third >>order' >/dev/null 2>&1
contains "what it waits for" "waiting for another job to end" "$(rv ps --json)"
touch seen
ends third 60
equal "order" "first second third" "$(paste -sd' ' order)"
equal "in JSON" "$(field second "['id']")" "$(field third "['after']['run']")"

# After a bad end: not started, or started, as asked.
rv run -g 1 --time 5m --name bad 'until [ -e both ]; do sleep 0.1; done; exit 3' >/dev/null 2>&1
rv run -g 1 --time 5m --name only-ok --after bad 'echo no >>bad-order' >/dev/null 2>&1
rv run -g 1 --time 5m --name anyhow --after bad:any 'echo yes >>bad-order' >/dev/null 2>&1
touch both
ends only-ok 60
ends anyhow 60
equal "started after a bad end" "yes" "$(paste -sd' ' bad-order)"
equal "state" stopped "$(field only-ok "['state']")"
contains "why" "run $(field bad "['id']"), which it follows, did not succeed" "$(field only-ok "['detail']")"

contains "rv why" "which it follows, did not succeed" "$(rv why only-ok)"

# Stopped before it began is not a good end either.
rv run -g 1 --time 5m --name stopped 'sleep 300' >/dev/null 2>&1
rv run -g 1 --time 5m --name after-stop --after stopped true >/dev/null 2>&1
exits 0 rv stop stopped
ends after-stop 60
equal "state" stopped "$(field after-stop "['state']")"

# A run that continues in its own job: whoever follows it goes back into the queue.
touch hold
rv run -g 1 --time 5m --name moving 'while [ -e hold ]; do sleep 0.2; done; echo moved >>moves' >/dev/null 2>&1
rv run -g 1 --time 5m --name behind --after moving 'echo behind >>moves' >/dev/null 2>&1
behind=$(field behind "['candidates'][0]['job_id']")
depends() { [ "$(squeue -h -j "$behind" -o %r)" = Dependency ]; }
wait_for 20 depends || fail "no dependency: $(squeue)"
scontrol update jobid="$behind" dependency=
gone_back() { [ "$(field behind "['candidates'][0]['job_id']")" != "$behind" ]; }
wait_for 60 gone_back || fail "it does not go back: $(rv show behind)"
rm hold
ends behind 60
equal "order" "moved behind" "$(paste -sd' ' moves)"

# What is over already needs no waiting, and what ended badly is reported at once.
exits 0 rv run -f -g 1 --time 5m --after first echo at-once
equal "output" at-once "$out"
exits 125 rv run -g 1 --time 5m --after bad true
contains "ended badly" "has already failed" "$err"
exits 122 rv run --after nosuch true
exits 2 rv run --after first:sometimes true
contains "condition" 'expected ok or any after ":", not "sometimes"' "$err"

# An array is over when its last element is.
rv run -g 1 --time 5m --name parts --array 0-1 'sleep $((RV_ARRAY_INDEX * 3)); echo part >>parts' >/dev/null 2>&1
rv run -g 1 --time 5m --name whole --after parts 'echo whole >>parts' >/dev/null 2>&1
ends whole 60
equal "order" "part part whole" "$(paste -sd' ' parts)"
