#!/usr/bin/env bash
# The time zone's clock was changed some minutes ago or will be: starts, limits and reservations are not shifted, and printed
# times follow the changed clock.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# at "20 minutes": that moment as POSIX's TZ takes it, day of the year (from 0) and time.
at() { echo "$((10#$(date -u -d "$1" +%j) - 1))/$(date -u -d "$1" +%T)"; }
# Summer time begins by the clock of winter, and ends by its own, which is an hour ahead.
declare -A clocks=(
  [forward soon]="WIN0SUM,$(at '20 minutes'),$(at '100 days')"
  [forward before]="WIN0SUM,$(at '-20 minutes'),$(at '100 days')"
  [back soon]="WIN0SUM,$(at '-100 days'),$(at '80 minutes')"
  [back before]="WIN0SUM,$(at '-100 days'),$(at '40 minutes')"
)
mend() { scontrol delete reservation=over_the_change >/dev/null 2>&1 || true; }
near() { [ $(($1 - $2)) -le "$3" ] && [ $(($2 - $1)) -le "$3" ]; }
times() {
  python3 -c '
import json, sys
snapshot = json.load(sys.stdin)
for job in snapshot["jobs"]: print(job["id"], job["start"], job["submitted"], job["time_limit_s"])
for one in snapshot["reservations"]: print(one["name"], one["start"], one["end"])' <<<"$out"
}

# The job that occupies the nodes; that of the run before may be on its way out yet.
alone() { [ "$(squeue -h --me -t PENDING,RUNNING,SUSPENDED,CONFIGURING,COMPLETING -o %j)" = busy ]; }
occupy gpu-a6000 2 a6000:8 >/dev/null
# A job of an earlier test may still be ending on the node.
reserve() { scontrol create reservation=over_the_change starttime=now+10minutes duration=60 nodes=udc-an40-1 users=root >/dev/null 2>&1; }
wait_for 60 reserve || fail "no reservation: $(scontrol show node udc-an40-1)"
export TZ=UTC
exits 0 rv cluster --json
usual=$(times)
contains "the times" "over_the_change" "$usual"
for change in "${!clocks[@]}"; do
  export TZ=${clocks[$change]}
  [ "$change" != "forward before" ] || equal "the clock of this test" SUM "$(date +%Z)"
  wait_for 20 alone || fail "jobs are left: $(squeue)"
  exits 0 rv cluster --json
  equal "$change" "$usual" "$(times)"
  began=$(date +%s)
  exits 0 rv run -f -t a40 -g 1 --time 10m --name "$change" true
  equal "$change" "done" "$(field "$change" "['state']")"
  created=$(field "$change" "['created']")
  near "$created" "$began" 60 || fail "$change: created at $created, and it was $began"
  contains "$change, as a person reads it" "$(date -d "@$created" +'%F %H:%M')" "$(rv ps -a)"
done
