#!/usr/bin/env bash
# rv prints how much of its resources a run used: one line at the end, details in rv show and on the page, separately for
# elements and restarts.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job stands in single quotes
source "$(dirname "$0")/lib.sh"

cat >hold.py <<'P'
import sys, time
held = bytearray(int(sys.argv[1]) << 20)
for at in range(0, len(held), 4096): held[at] = 1
time.sleep(float(sys.argv[2]))
P

# Accounting takes a sample every half minute: 200 MiB are there for two of them.
rv run -f -g 1 -t a40 --mem 8G --time 2h --name long python3 hold.py 200 64 >"$work/long.out" 2>"$work/long.err" </dev/null &
long=$!

# Started twice as one job, then a short array.
rv run --requeue --time 5m -t a6000 --name twice bash -c 'echo x >> ran; [ "$(wc -l <ran)" != 1 ] || sleep 300' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
job=$(field twice "['candidates'][0]['job_id']")
scontrol requeue "$job"
sleep 2 # in the second in which it was killed its node would refuse the new start
pending() { [ "$(squeue -h -j "$job" -o %T)" = PENDING ] && scontrol update jobid="$job" starttime=now; }
wait_for 30 pending || fail "not requeued: $(squeue)"
exits 0 rv run -f -t a6000 --time 5m --name many --array 3,5 'sleep 1'
lacks "a run of a second" "used" "$err"
exits 0 rv wait twice
accounted() { [ "$(field "$1" "['use']['attempts'].__len__()")" = "$2" ]; }
wait_for 20 accounted many 2 || fail "elements: $(rv show many --json)"
says "elements apart" "sorted(a['element'] for a in d['use']['attempts']) == [3, 5]" <(rv show many --json)
wait_for 20 accounted twice 2 || fail "starts: $(rv show twice --json)"
rv show twice --json >"$work/twice.json"
says "starts apart" "[(a['job_id'], a['restart'], a['state']) for a in d['use']['attempts']] == [($job, 0, 'REQUEUED'), ($job, 1, 'COMPLETED')]" "$work/twice.json"
exits 0 rv show twice
has_line "the first start" "^usage    job $job: .*, [0-9]+s of 5m$" "$out"
has_line "the second" "^usage    job $job, restart 1: " "$out"

# While it runs nothing is known yet.
equal "of a run under way" None "$(field long "['use']")"
wait "$long" || fail "its exit code: $?"
has_line "one line at the end" '^rv: used 0\.2 of 8\.0 GiB memory, 0\.[0-9] of [0-9]+ CPUs?, 1m.* of 2h; rv show [a-z0-9]+ has more$' "$(<"$work/long.err")"
rv show long --json >"$work/long.json"
says "its peak" "200 <= d['use']['attempts'][0]['peak_memory_per_node_mb'] < 400" "$work/long.json"
says "what it had" "d['use']['attempts'][0]['memory_per_node_mb'] == 8192 and d['use']['attempts'][0]['time_limit_s'] == 7200" "$work/long.json"
says "a minute is too short to say that less memory is enough" "d['use']['enough']['memory_per_node_mb'] is None" "$work/long.json"
says "less time is" "d['use']['enough']['options'] == ['--time', '5m'] and d['use']['enough']['wait']['asked_p50_s'] >= 0" "$work/long.json"
exits 0 rv show long
has_line "and what that had done" '^enough   --time 5m would have been enough; the predicted wait was no shorter with it$' "$out"
exits 0 rv report long -o -
contains "on the page" 'peak memory GiB a node' "$out"
contains "its figures" '>0.2</td><td class="n">8.0</td>' "$out"
