#!/usr/bin/env bash
# The first plan gets limits from the controller, even while accounting is down. Limits from accounting are cached, used at once
# however old they are, and refreshed in the background.
# shellcheck source=tests/releases/lib.sh
source "$(dirname "$0")/lib.sh"

daemon() { "$root/examples/sandbox/sandbox" daemon "$1" slurmdbd --dir "$RV_SANDBOX_DIR"; }
accounting_answers() { timeout 5 sacctmgr -n show cluster >/dev/null 2>&1; }
mend() {
  accounting_answers || daemon start
  wait_for 30 accounting_answers
  sacctmgr -i modify qos narrow set MaxTRESPerJob=gres/gpu=-1 >/dev/null 2>&1 || true
}
controller_has() { scontrol show assoc_mgr flags=qos | grep -q 'MaxTRESPJ=gres/gpu=1'; }
plan() { rv plan -g 2 --single-node --partition gpu --qos narrow --time 5m 2>&1 || true; }
kept() { compgen -G "$RV_HOME/cache/limits-*"; }
is_renewed() { [ $(($(date +%s) - $(stat -c %Y "$file"))) -lt 600 ]; }
limit="QOS narrow MaxTRESPerJob gres/gpu=1"

sacctmgr -i modify qos narrow set MaxTRESPerJob=gres/gpu=1 >/dev/null
wait_for 20 controller_has || fail "the controller does not hear of the limit"
daemon kill
began=$EPOCHREALTIME
contains "without accounting" "$limit" "$(plan)"
took=$(((${EPOCHREALTIME/./} - ${began/./}) / 1000))
[ "$took" -lt 3000 ] || fail "it waited for accounting: $took ms"

daemon start
wait_for 30 accounting_answers || fail "accounting does not come back"
plan >/dev/null
wait_for 30 kept >/dev/null || fail "accounting's answer is not kept"
file=$(kept)
sacctmgr -i modify qos narrow set MaxTRESPerJob=gres/gpu=-1 >/dev/null
touch -d '2 hours ago' "$file"
contains "with the kept ones" "$limit" "$(plan)"
wait_for 30 is_renewed || fail "not renewed"
now=$(plan)
[[ $now != *"$limit"* ]] || fail "renewed, and not used: $now"
