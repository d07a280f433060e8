#!/usr/bin/env bash
# rv cluster on a saved file: the table, the JSON, and a copy that says the same.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
rv cluster --cluster "$cluster"
expect_code 0
no_err
out_has 'toy, Slurm 22.05.8, as of 2023-11-14 22:13:20 UTC'
grep -qE '^a40 +2 +16 +10 +6 +0 +8 +48G +gpu-a40$' "$scratch/out" || fail 'the row of a40 is wrong'
grep -qE '^v100 +2 +8 +4 +0 +4 +0 .*gpu-v100$' "$scratch/out" || fail 'the row of v100 is wrong'
rv cluster --cluster "$cluster" --save copy.json
expect_code 0
out_has 'copy.json: 4 nodes, 2 partitions, 1 jobs'
rv cluster --cluster "$cluster" --json
cp "$scratch/out" direct.json
cmp direct.json copy.json || fail '--json and --save differ'
rv cluster --cluster copy.json --save -
cmp "$scratch/out" copy.json || fail 'a second round changes the file'
"$RV" cluster --cluster - --json < copy.json > piped.json
cmp piped.json copy.json || fail 'reading stdin differs'
json copy.json 'd["version"] == 1 and d["nodes"][1]["gpus"][0] == {"type": "a40", "total": 8, "used": 6}'
[ -z "$(find . -name '*tmp*')" ] || fail 'a temporary file is left'
rv cluster --cluster copy.json --save /no/such/folder/x
expect_code 125
err_has '/no/such/folder'
rv cluster --cluster copy.json --save /dev/null
expect_code 2
[ -c /dev/null ] || fail '/dev/null was replaced'
sed 's/"version": 1/"version": 99/' "$cluster" > newer.json
rv cluster --cluster newer.json
expect_code 2
err_has 'newer.json": version: this is a cluster file of version 99, and this rv reads version 1'
printf '{' > broken.json
rv cluster --cluster broken.json
expect_code 2
err_has 'is not JSON'
rv cluster --cluster absent.json
expect_code 2
err_has "can't read \"absent.json\""
