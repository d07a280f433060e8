#!/usr/bin/env bash
# rv gc --reports removes old report folders: of acceptances through runs that are over, of local acceptances, and of stress
# tests on this machine.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# report FOLDER AGE [judged]
report() {
  mkdir -p "$1/reports"
  printf '{}' > "$1/order.json"
  [ -z "${3:-}" ] || printf '{}' > "$1/accept.json"
  touch -d "$2" "$1"/*.json
}
report "$RV_HOME/accept/20260101-000000-old" '8 days ago' judged
report "$RV_HOME/accept/20260101-000000-new" '6 days ago' judged
report "$RV_HOME/accept/20260101-000000-going" '2 hours ago'
report "$RV_HOME/accept/20260101-000000-dead" '8 days ago'
report "$work/elsewhere" '8 days ago' judged
ln -s "$work/elsewhere" "$RV_HOME/accept/20260101-000000-link"
mkdir -p "$RV_HOME/accept/gpus"
printf '{}\n' > "$RV_HOME/accept/gpus/GPU-1.jsonl"

exits 0 rv gc --reports --dry-run --json
says JSON 'sorted(r["folder"].split("-")[-1] for r in d["removed"]) == ["dead", "old"] and len(d["kept"]) == 2' "$work/out"
[ -d "$RV_HOME/accept/20260101-000000-old" ] || fail "a dry run removed something"
exits 0 rv gc --reports --keep 7d
contains stdout 20260101-000000-old "$out"
contains stderr 'removed 2 of 4 reports' "$err"
left() { (cd "$RV_HOME/accept" && echo *) }
equal "what stays" "20260101-000000-going 20260101-000000-link 20260101-000000-new gpus" "$(left)"
[ -e "$work/elsewhere/order.json" ] || fail "what a link led to is gone"
# Whatever is asked, what may still be written stays a day.
runs rv gc --reports --keep 1s
equal "what stays a day" "20260101-000000-going 20260101-000000-link gpus" "$(left)"
exits 2 rv gc --keep 7d
exits 2 rv gc --reports --max-size 1G

# stress FOLDER AGE [judged]
stress() {
  mkdir -p "$RV_HOME/stress/$1/reports"
  [ -z "${3:-}" ] || printf '{}' > "$RV_HOME/stress/$1/stress.json"
  touch -d "$2" "$RV_HOME/stress/$1"/*
}
rm -r "$RV_HOME/accept"
stress old '8 days ago' judged
stress new '6 days ago' judged
stress going '2 hours ago'
stress dead '8 days ago'
mkdir "$RV_HOME/stress/mine"
touch -d '8 days ago' "$RV_HOME/stress/mine"
exits 0 rv gc --reports
contains stderr 'removed 2 of 4 reports' "$err"
equal "stress tests that stay" "going mine new" "$(cd "$RV_HOME/stress" && echo *)"
runs rv gc --reports --keep 1s
equal "what of them stays a day" "going mine" "$(cd "$RV_HOME/stress" && echo *)"
