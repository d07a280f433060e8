#!/usr/bin/env bash
# rv gc removes only runs that have certainly ended, and rv gc -n lists them first.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 rv run -f -t a6000 --time 5m --name old true
exits 0 rv run -f -t a6000 --time 5m --name young true
rv run -t a6000 --time 5m --name alive sleep 300 >/dev/null 2>&1
started() { [ "$(field alive "['state']")" = running ]; }
wait_for 30 started || fail "does not run"
old=$(field old "['run_folder']") alive=$(field alive "['run_folder']")
# Its end is moved back by 40 days; the run that lives would be old enough too.
sed -i 's/^\(outcome .*"ended":\)[0-9]*/\1'$(($(date +%s) - 40 * 86400))'/' "$old"/ledger/*
sed -i 's/"created": [0-9]*/"created": 1000000000/' "$alive/run.json"

# Reports of acceptances go from runs that are over, and the runs stay.
young=$(field young "['run_folder']")
for run in "$young" "$alive"; do
  mkdir "$run/accept"
  touch -d '8 days ago' "$run/accept/order.json" "$run/accept/accept.json"
done
exits 0 rv gc --reports --keep 7d
contains "reports" "removed 1 of 1 report " "$err"
[ ! -e "$young/accept" ] || fail "the report is still there"
[ -e "$young/run.json" ] || fail "the run is gone"
[ -e "$alive/accept/order.json" ] || fail "the report of a live run is gone"

exits 0 rv gc --dry-run
contains "what would go" "old" "$out"
contains "summary" "would remove 1 of 3 runs" "$err"
[ -e "$old" ] || fail "--dry-run removed it"
exits 0 rv gc --json
equal "removed" "old" "$(python3 -c 'import json,sys; print(",".join(r["name"] for r in json.load(sys.stdin)["removed"]))' <<<"$out")"
[ ! -e "$old" ] || fail "$old is still there"
[ -e "$alive/run.json" ] || fail "the live run is gone"

# By size: the live one stays whatever the size.
exits 0 rv gc --max-size 1M
equal "runs under a megabyte" 2 "$(rv ps -a --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["runs"]))')"
dd if=/dev/zero of="$alive/output/data" bs=1M count=3 status=none
exits 0 rv gc --max-size 1M
equal "what stays" alive "$(rv ps -a --json | python3 -c 'import json,sys; print(",".join(r["name"] for r in json.load(sys.stdin)["runs"]))')"

# Without an answer from Slurm it is unknown which jobs are alive.
exits 121 env PATH=/usr/bin/nowhere "$RV" gc --older-than 1s
[ -e "$alive/run.json" ] || fail "the live run is gone"
exits 2 rv gc --older-than soon
rv stop alive >/dev/null

# On a terminal rv asks before it takes more than ten folders.
for i in 1 2 3 4 5 6 7 8 9 10 11; do
  rv run -g 1 --time 5m --name "many$i" true >/dev/null 2>&1
done
for i in 1 2 3 4 5 6 7 8 9 10 11; do exits 0 rv wait "many$i"; done
sleep 2 # the newest run becomes older than 1 s
# answered ANSWER COMMAND…: on a terminal.
answered() { python3 "$root/tests/on_terminal.py" "[{\"until\": \"y or n\"}, \"$1\\n\"]" "${@:2}"; }
folders() { find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l; }
before=$(folders)
runs answered n "$RV" gc --older-than 1s
equal "exit code" 2 "$code"
contains "the question" "Remove the folders of " "$out"
equal "nothing is removed" "$before" "$(folders)"
# While it waits for the answer a run is submitted that names one of them, as one that continues from its checkpoint does.
needed=$(field many3 "['run_folder']")
in_background python3 "$root/tests/on_terminal.py" '[{"until": "y or n"}, {"make": "asked"}, {"file": "submitted"}, "y\n"]' \
  "$RV" gc --older-than 1s
cleaning=$!
wait_for 60 test -e asked || fail "rv gc does not ask: $(<"$work/out")"
exits 0 rv run -g 1 --time 5m --name names-it "echo ${needed##*/}; sleep 300"
touch submitted
wait "$cleaning" || fail "rv gc: exit code $?"
[ -e "$needed/run.json" ] || fail "a run that another one names was removed"
[ "$(folders)" -lt "$before" ] || fail "nothing was removed"
rv stop names-it >/dev/null
