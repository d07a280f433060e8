#!/usr/bin/env bash
# rv logs: nodes as they are counted, a JSON document where one is asked for.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
folder=$RV_HOME/runs/aaaaaa
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
printf '{"version":2,"id":"aaaaaa","name":"sweep","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
  "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[]}' >"$folder/run.json"
printf 'outcome 1 0 0 0 done 0 here 1795262500 token - {"detail":""}\n' >"$folder/ledger/1"
for i in 0 1 2 10 11; do echo "says $i" >"$folder/logs/$i.out"; done
echo trouble >"$folder/logs/2.err"
rv logs
expect_out '0| says 0
1| says 1
2| says 2
10| says 10
11| says 11'
# On one terminal what it wrote to stdout comes first, then what it wrote to stderr.
"$RV" logs >"$scratch/out" 2>&1
[ "$(sed -n '3,4p' "$scratch/out")" = "2| says 2
2| trouble" ] || fail 'stderr stands before stdout'
rv logs --json
expect_code 0
json "$scratch/out" 'd["run"] == "aaaaaa" and [(o["node"], o["stream"]) for o in d["output"]] == [("0", "stdout"), ("1", "stdout"), ("2", "stdout"), ("2", "stderr"), ("10", "stdout"), ("11", "stdout")]'
json "$scratch/out" 'd["output"][3]["text"] == "trouble\n"'
rv logs --err --node 2 --json
json "$scratch/out" '[o["text"] for o in d["output"]] == ["trouble\n"]'
rv logs -f --json
expect_code 2
json "$scratch/err" 'd["error"]["message"] == "rv logs -f has no JSON form"'
