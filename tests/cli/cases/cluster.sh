#!/usr/bin/env bash
# rv cluster reads a saved file and prints the table and JSON; saving it again gives the same data.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
exits 0 rv cluster --cluster "$cluster"
equal stderr "" "$err"
contains stdout 'toy, Slurm 22.05.8, as of 2023-11-14 22:13:20 UTC' "$out"
grep -qE '^a40 +2 +16 +10 +6 +0 +8 +48G +gpu-a40$' "$work/out" || fail 'the row of a40 is wrong'
grep -qE '^v100 +2 +8 +4 +0 +4 +0 .*gpu-v100$' "$work/out" || fail 'the row of v100 is wrong'
exits 0 rv cluster --cluster "$cluster" --save copy.json
contains stdout 'copy.json: 4 nodes, 2 partitions, 1 job' "$out"
runs rv cluster --cluster "$cluster" --json
cp "$work/out" direct.json
cmp direct.json copy.json || fail '--json and --save differ'
runs rv cluster --cluster copy.json --save -
cmp "$work/out" copy.json || fail 'a second round changes the file'
"$RV" cluster --cluster - --json < copy.json > piped.json
cmp piped.json copy.json || fail 'reading stdin differs'
says JSON 'd["version"] == 1 and d["nodes"][1]["gpus"][0] == {"type": "a40", "total": 8, "used": 6}' copy.json
[ -z "$(find . -name '*tmp*')" ] || fail 'a temporary file is left'
exits 125 rv cluster --cluster copy.json --save /no/such/folder/x
contains stderr '/no/such/folder' "$err"
exits 2 rv cluster --cluster copy.json --save /dev/null
[ -c /dev/null ] || fail '/dev/null was replaced'
sed 's/"version": 1/"version": 99/' "$cluster" > newer.json
exits 2 rv cluster --cluster newer.json
contains stderr 'newer.json": version: this is a cluster file of version 99, and this rv reads version 1' "$err"
printf '{' > broken.json
exits 2 rv cluster --cluster broken.json
contains stderr 'is not JSON' "$err"
exits 2 rv cluster --cluster absent.json
contains stderr '--cluster "absent.json": expected an existing file' "$err"
# Nodes, users, one type.
exits 0 rv cluster --cluster "$cluster" --nodes
contains stdout 'CPUs free' "$out"
grep -qE '^n2 +a40 +8 +2 ' "$work/out" || fail "the row of n2: $out"
exits 0 rv cluster --cluster "$cluster" -t V100 --json
says JSON '[n["node"] for n in d["nodes"]] == ["n3", "n4"] and all(n["gpu_type"] == "v100" for n in d["nodes"])' "$work/out"
exits 0 rv cluster --cluster "$cluster" --users --json
says JSON 'type(d["users"]) is list and all(set(u) == {"user", "gpus", "jobs", "waiting_gpus", "waiting_jobs", "types"} for u in d["users"])' "$work/out"
exits 2 rv cluster --cluster "$cluster" -t nosuch
contains stderr '--type "nosuch": expected a GPU type' "$err"
exits 2 rv cluster --cluster "$cluster" --nodes --save x.json
exits 2 rv cluster --cluster "$cluster" --nodes --users
