#!/usr/bin/env bash
# rv notify test prints which targets were notified, as text or as JSON.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
runs rv notify set log --command "cat >$work/told"
exits 0 rv notify test log
equal stdout 'log was notified' "$out"
says JSON 'd["event"] == "test"' "$work/told"
exits 0 rv notify test log --json
says JSON 'd == {"targets": [{"name": "log", "sent": True, "why": None}]}' "$work/out"
runs rv notify set bad --command 'echo "no \"way\""; exit 3'
exits 125 rv notify test --json
says JSON '[(t["name"], t["sent"]) for t in d["targets"]] == [("bad", False), ("log", True)] and "no way" in d["targets"][0]["why"]' "$work/out"
exits 125 rv notify test
contains stdout 'bad could not be notified: no way' "$out"
contains stdout 'log was notified' "$out"
exits 2 rv notify set both --mail ann@example.org --command true
contains stderr "--command and --mail can't be combined" "$err"
exits 2 rv notify set both
contains stderr 'add --mail ADDRESS, --webhook - or --command LINE' "$err"
# A kind of a newer rv, or of nobody: the others are notified all the same.
cp -r "$RV_HOME/notify/targets/log" "$RV_HOME/notify/targets/bird"
echo 'pigeon; true' >"$RV_HOME/notify/targets/bird/kind"
exits 2 rv notify test bird
runs rv notify test log
equal stdout 'log was notified' "$out"
exits 2 rv notify test nobody
equal stderr 'rv: error: unknown target "nobody"
hint: rv notify list lists the targets' "$err"
# The service of a webhook is known by its address, or named.
runs rv notify set chat --webhook https://hooks.slack.com/services/T0/B0/x
contains stderr 'target chat receives the events started,stalled,ended (slack format)' "$err"
echo https://ntfy.example.org/runs >address
exits 0 with_input address rv notify set own --webhook - --as ntfy
runs rv notify set plain --webhook https://example.org/rv
exits 0 rv notify list --json
says JSON '{t["name"]: t["as"] for t in d["targets"] if t["kind"] == "webhook"} == {"chat": "slack", "own": "ntfy", "plain": None}' "$work/out"
exits 2 rv notify set own --webhook https://example.org/rv --as pigeon
contains stderr '--as "pigeon": expected a service' "$err"
contains stderr 'the services are slack, teams, discord, ntfy' "$err"
exits 2 rv notify set own --mail ann@example.org --as slack
contains stderr 'leave it out for --mail' "$err"
# The topic of ntfy is all that one needs to post.
exits 2 rv notify set phone --webhook https://ntfy.sh/runs
contains stderr 'write --webhook -' "$err"
exits 2 rv notify set phone --webhook https://ntfy.example.org/runs --as ntfy
