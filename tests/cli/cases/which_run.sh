#!/usr/bin/env bash
# The rules by which a word selects a run, for commands that read only the run folders; an empty word selects none.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# make_run ID NAME CREATED_NS OUTCOME
make_run() {
  local folder=$RV_HOME/runs/$1
  mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
  printf '{"version":2,"id":"%s","name":"%s","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
    "created":1795262400,"created_ns":%s,"head_start_s":0,"requeue":false,"candidates":[]}' "$1" "$2" "$3" >"$folder/run.json"
  [ -z "$4" ] || printf 'outcome 1 0 0 0 %s 0 here 1795262500 token - {"detail":""}\n' "$4" >"$folder/ledger/1"
}
make_run aaaaaa ux 3 "done"
make_run ux7ype train 1 "done"
make_run bbbbbb train 2 "done"

id_of() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["id"])' "$work/out"; }
shows() {
  exits 0 rv show --json "${@:2}"
  [ "$(id_of)" = "$1" ] || fail "rv show ${*:2}: $(id_of), expected $1"
}
shows aaaaaa ux
shows ux7ype ux7
shows bbbbbb train
shows aaaaaa  # the newest within one second

# A name counts before an ID that begins so, over or not; a name that was used daily means the newest of its runs.
make_run tb5rnu old 4 ""
make_run cccccc tb 1 "done"
make_run dddddd tb 2 "done"
make_run eeeeee tb 3 "done"
for id in tb5rnu cccccc dddddd eeeeee; do echo "output of $id" >"$RV_HOME/runs/$id/logs/n1.out"; done
exits 0 rv logs tb
equal stdout "output of eeeeee" "$out"
for command in show why wait cost; do
  exits 0 rv $command tb
done
rm -r "$RV_HOME"/runs/{tb5rnu,cccccc,dddddd,eeeeee}

exits 0 rv stop ux
equal stdout "aaaaaa was over already" "$out"
contains stderr "rv: ux is run aaaaaa" "$err"
exits 0 rv stop ux7ype
equal stderr "" "$err"
exits 122 rv stop ux7
contains stderr "ux7ype (train, over)" "$err"
exits 122 rv stop train
contains stderr '"train" could be any of 2 runs: bbbbbb (train, over), ux7ype (train, over)' "$err"
runs rv stop --json ux
says JSON 'd["stopped"][0]["name"] == "ux" and d["stopped"][0]["already_over"]' "$work/out"

for words in "show" "logs" "logs -f" "why" "wait" "shell" "ssh" "gpu" "cost" "stop" "pull" "forward 8080" "forward --stop"; do
  # shellcheck disable=SC2086 # several arguments
  exits 122 rv $words ""
  contains stderr "a run's ID can't be empty" "$err"
done
exits 122 rv stop aaaaaa ""
[ -z "$(ls)" ] || fail "something was made here: $(ls)"
for option in "run --after" "run --checkpoint --checkpoint-from" "accept --judge"; do
  # shellcheck disable=SC2086 # several arguments
  exits 2 rv $option ""
  contains stderr '"": expected a value' "$err"
done
