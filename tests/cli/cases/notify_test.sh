#!/usr/bin/env bash
# rv notify test says in words who was told, and as JSON where that is asked for.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
rv notify set log --command "cat >$scratch/told"
rv notify test log
expect_code 0
expect_out 'log was told'
json "$scratch/told" 'd["event"] == "test"'
rv notify test log --json
expect_code 0
json "$scratch/out" 'd == {"targets": [{"name": "log", "told": True, "why": None}]}'
rv notify set bad --command 'echo "no \"way\""; exit 3'
rv notify test --json
expect_code 125
json "$scratch/out" '[(t["name"], t["told"]) for t in d["targets"]] == [("bad", False), ("log", True)] and "no way" in d["targets"][0]["why"]'
rv notify test
expect_code 125
out_has 'bad was not told: no way'
out_has 'log was told'
rv notify set both --mail ann@example.org --command true
expect_code 2
err_has '--command and --mail: a target is told in one way'
rv notify set both
expect_code 2
err_has 'add --mail ADDRESS, --webhook - or --command LINE'
# A kind of a newer rv, or of nobody: the others are told all the same.
cp -r "$RV_HOME/notify/targets/log" "$RV_HOME/notify/targets/bird"
echo 'pigeon; true' >"$RV_HOME/notify/targets/bird/kind"
rv notify test bird
expect_code 2
rv notify test log
expect_out 'log was told'
rv notify test nobody
expect_code 2
