#!/usr/bin/env bash
# Which run a word means, where nothing but the folders is asked; an empty word means none anywhere.
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

id_of() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["id"])' "$scratch/out"; }
shows() {
  rv show --json "${@:2}"
  expect_code 0
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
rv logs tb
expect_code 0
expect_out "output of eeeeee"
for command in show why wait cost; do
  rv $command tb
  expect_code 0
done
rm -r "$RV_HOME"/runs/{tb5rnu,cccccc,dddddd,eeeeee}

rv stop ux
expect_code 0
expect_out "aaaaaa was over already"
err_has "rv: ux is taken for run aaaaaa (ux)"
rv stop ux7ype
expect_code 0
no_err
rv stop ux7
expect_code 122
err_has "ux7ype (train, over)"
rv stop train
expect_code 122
err_has '"train" could be any of 2 runs: bbbbbb (train, over), ux7ype (train, over)'
rv stop --json ux
json "$scratch/out" 'd["stopped"][0]["name"] == "ux" and d["stopped"][0]["already_over"]'

for words in "show" "logs" "logs -f" "why" "wait" "shell" "ssh" "gpu" "cost" "stop" "pull" "forward 8080" "forward --stop"; do
  # shellcheck disable=SC2086 # several words
  rv $words ""
  expect_code 122
  err_has "a run's ID can't be empty"
done
rv stop aaaaaa ""
expect_code 122
[ -z "$(ls)" ] || fail "something was made here: $(ls)"
for option in "run --after" "run --checkpoint --checkpoint-from" "accept --judge"; do
  # shellcheck disable=SC2086 # several words
  rv $option ""
  expect_code 2
  err_has "the value is empty"
done
