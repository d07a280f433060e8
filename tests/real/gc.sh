#!/usr/bin/env bash
# rv gc removes what is certainly over, and says beforehand what it would do.
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

# Without Slurm's answer nobody knows what lives.
exits 121 env PATH=/usr/bin/nowhere "$RV" gc --older-than 1s
[ -e "$alive/run.json" ] || fail "the live run is gone"
exits 2 rv gc --older-than soon
rv stop alive >/dev/null
