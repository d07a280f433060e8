#!/usr/bin/env bash
# rv ps --account prints what an account holds, waits for and used; what the site hides from a user is reported as hidden and
# not counted as 0.
# shellcheck source=tests/sites/lib.sh
source "$(dirname "$0")/lib.sh"

# Root's job, and a user's that runs and has run.
occupied -p wide -w old-1 --gres=gpu:a40:1
exits 0 rv run -f -g 1 -t a40 --time 10m -p wide --name brief sleep 2
exits 0 rv run -g 1 -t a40 --time 10m -p wide --name held sleep 100
runs_now() { [[ $(rv ps) == *held*running* ]]; }
wait_for 30 runs_now || fail "does not run: $(rv ps)"

# The queue shows the user only their own jobs, and rv says so. Accounting has its own PrivateData and shows all jobs here.
accounted() { rv ps --account lab --json >"$work/lab.json" && python3 "$root/tests/says.py" "$work/lab.json" "d['gpu_hours_7d'] > 0 and d['shows_others']['accounting']" >/dev/null; }
wait_for 30 accounted || fail "nothing in accounting: $(<"$work/lab.json")"
says "the document" "d['gpus'] >= 1 and not d['shows_others']['queue'] and [u['user'] for u in d['users'] if u['gpus']] == ['games']" "$work/lab.json"
exits 0 rv ps --account lab
has_line "its own" "^holds    [1-9][0-9]* GPUs? in [1-9]" "$out"
contains "the queue" "hidden   the site hides other users' jobs (PrivateData): this counts what it shows" "$out"
has_line "use" "^used     [0-9.]+ GPU hours in the last 7 days$" "$out"

# Root sees all of it.
exits 0 rv_of_root ps --account LAB --json
says "both" "d['gpus'] >= 2 and {'root', 'games'} <= {u['user'] for u in d['users']}" "$work/out"
says "of others too" "d['shows_others']['queue'] and d['shows_others']['accounting']" "$work/out"
exits 0 rv_of_root ps --account lab
lacks "nothing is hidden" "PrivateData" "$out"
has_line "types" "^games .* [1-9]× a40" "$out"

exits 2 rv ps --account nosuch
contains "the unknown" '"nosuch"' "$err"
exits 2 rv ps --account 'lab,other'
contains "one name" 'expected the name of one account' "$err"
exits 2 rv ps --account lab --name x
contains "runs" "--account can't be combined with options that choose runs" "$err"
