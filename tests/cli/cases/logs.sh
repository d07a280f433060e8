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
runs rv logs
equal stdout '0| says 0
1| says 1
2| says 2
10| says 10
11| says 11' "$out"
# On one terminal what it wrote to stdout comes first, then what it wrote to stderr.
"$RV" logs >"$work/out" 2>&1
out=$(<"$work/out")
[ "$(sed -n '3,4p' "$work/out")" = "2| says 2
2| trouble" ] || fail 'stderr stands before stdout'
exits 0 rv logs --json
says JSON 'd["run"] == "aaaaaa" and [(o["node"], o["stream"]) for o in d["output"]] == [("0", "stdout"), ("1", "stdout"), ("2", "stdout"), ("2", "stderr"), ("10", "stdout"), ("11", "stdout")]' "$work/out"
says JSON 'd["output"][3]["text"] == "trouble\n"' "$work/out"
runs rv logs --err --node 2 --json
says JSON '[o["text"] for o in d["output"]] == ["trouble\n"]' "$work/out"
exits 2 rv logs -f --json
says JSON 'd["error"]["message"] == "rv logs -f has no JSON form"' "$work/err"
