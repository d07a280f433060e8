#!/usr/bin/env bash
# rv logs orders nodes by number (2 before 10), and prints one JSON document with --json.
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
says JSON 'd["error"]["message"].startswith("-f and --json can")' "$work/err"

# Of an array some elements, by number, or those that failed; a Slurm job ID with an index means that element.
folder=$RV_HOME/runs/arrays
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
printf '{"version":2,"id":"arrays","name":"many","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
  "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"array":{"elements":[0,1,2,9,10,11],"at_once":0},
  "candidates":[{"number":1,"job_name":"many@arrays.1","summary":"way","gpu_type":"a40","gpus":1,"nodes":1,"partition":"gpu",
  "free_now":false,"time_limit_s":60}]}' >"$folder/run.json"
printf '{"time":1795262400,"event":"submitted","candidate":1,"job_id":71}\n' >"$folder/events.jsonl"
printf 'claim 1 1 71 0 - - n1 1795262401 t n1\n' >"$folder/ledger/1"
printf 'outcome 1 0 0 0 failed 139 here 1795262500 token - {"detail":"exit code 139 (SIGSEGV)"}\n' >"$folder/ledger/2"
for i in 0 1 2 9 10 11; do
  code=0; [ "$i" != 9 ] || code=139
  printf 'start 1 1 71 0 0 - n%s 1795262402 t%s n%s\n' "$i" "$i" "$i" >"$folder/elements/$i.1"
  [ "$i" = 11 ] || printf 'exit 1 1 71 0 exited %s n%s 1795262492 t%s n%s\n' "$code" "$i" "$i" "$i" >"$folder/elements/$i.2"
  echo "says $i" >"$folder/logs/$i.out"
done
exits 0 rv logs many --element 1-2,10
equal stdout '1| says 1
2| says 2
10| says 10' "$out"
exits 0 rv logs 71_10
equal stdout 'says 10' "$out"
exits 0 rv logs many --failed
equal stdout '9| says 9
11| says 11' "$out"
exits 0 rv logs many --failed --json
says JSON '[o["node"] for o in d["output"]] == ["9", "11"]' "$work/out"
exits 2 rv logs many --element 3-4,9
contains stderr "run arrays has no element 3, 4" "$err"
exits 2 rv logs aaaaaa --element 1
contains stderr "run aaaaaa is not an array" "$err"
exits 2 rv logs aaaaaa --failed
exits 2 rv logs many --element 5-2
contains stderr "--element \"5-2\": expected an ascending range, not '5-2'" "$err"
exits 2 rv logs many --failed -f

# rv show has a table of them in place of their events, rv why each by itself.
exits 0 rv show many
contains table '      9  failed  139 (SIGSEGV)  1m 30s  n9
     10  done                0  1m 30s  n10
     11  lost                           n11' "$out"
exits 0 rv show many --json
says JSON '[(e["index"], e["state"], e["nodes"]) for e in d["array"]["elements"]][3:] == [(9, "failed", "n9"), (10, "done", "n10"), (11, "lost", "n11")]' "$work/out"
exits 0 rv why many --element 9-10
contains "the cause of one" "element 9
run    arrays  many: failed, exit code 139 (SIGSEGV)" "$out"
contains "the other" "element 10
run    arrays  many: done" "$out"
exits 0 rv why many --element 9 --json
says JSON 'd["id"] == "arrays" and [(e["element"], e["state"]) for e in d["elements"]] == [(9, "failed")]' "$work/out"
exits 0 rv why many
contains "causes by element" "element 9: exit code 139 (SIGSEGV)" "$out"
