#!/usr/bin/env bash
# Several runs in one command: rv logs prefixes each line with the run's name, and rv wait waits for all runs or for any.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# make_run ID NAME: it has begun, as job 7.
make_run() {
  local folder=$RV_HOME/runs/$1
  mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
  printf '{"version":2,"id":"%s","name":"%s","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
    "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[{"number":1,"job_name":"x@%s.1",
    "summary":"way","gpu_type":"a40","gpus":1,"nodes":1,"partition":"gpu","free_now":false,"time_limit_s":60}]}' \
    "$1" "$2" "$1" >"$folder/run.json"
  printf '{"time":1795262400,"event":"submitted","candidate":1,"job_id":7}\n' >"$folder/events.jsonl"
  entry "$1" 1 'claim 1 1 7 0 - - n1 1795262401 t n1'
  entry "$1" 2 'start 1 1 7 0 0 - n1 1795262402 t n1'
}
# entry ID NUMBER TEXT: an entry of the ledger is there whole, or not at all.
entry() {
  echo "$3" >"$work/entry"
  mv "$work/entry" "$RV_HOME/runs/$1/ledger/$2"
}
end() { entry "$1" 3 "exit 1 1 7 0 exited $2 n1 1795262403 t n1"; }
shows() { grep -qF "$2" "$1"; }

make_run aaaaaa prepare
make_run bbbbbb train
make_run cccccc train
echo "one" >"$RV_HOME/runs/aaaaaa/logs/n1.out"
echo "two" >"$RV_HOME/runs/bbbbbb/logs/n1.out"
printf 'three\nfour\n' >"$RV_HOME/runs/cccccc/logs/n1.out"

# Without -f what there is now; names that several runs have are replaced by IDs.
exits 0 rv logs aaaaaa bbbbbb
equal stdout 'prepare| one
train| two' "$out"
exits 0 rv logs cccccc bbbbbb aaaaaa --tail 1
equal stdout 'cccccc| four
bbbbbb| two
prepare| one' "$out"
exits 0 rv logs aaaaaa aaaaaa
equal "the same run twice" 'one' "$out"
exits 2 rv logs aaaaaa bbbbbb --json
exits 122 rv logs aaaaaa nosuch

# With -f until all are over.
in_background "$RV" logs -f aaaaaa bbbbbb
following=$!
wait_for 30 shows "$work/out" 'train| two' || fail "not shown"
echo "more" >>"$RV_HOME/runs/aaaaaa/logs/n1.out"
wait_for 30 shows "$work/out" 'prepare| more' || fail "does not follow"
end aaaaaa 0
printf "no line end" >>"$RV_HOME/runs/bbbbbb/logs/n1.out"
end bbbbbb 3
code=0
wait "$following" || code=$?
equal "exit code" 0 "$code"
contains "the end of a line" 'train| no line end' "$(<"$work/out")"
contains "how it ended" "run bbbbbb ended with exit code 3" "$(<"$work/err")"

# rv wait: the first exit code that is not 0, in the order given.
exits 3 rv wait aaaaaa bbbbbb
contains stderr "rv: run aaaaaa (prepare): done" "$err"
contains stderr "rv: run bbbbbb (train): failed, exit code 3" "$err"
exits 3 rv wait aaaaaa bbbbbb --json
says JSON '[(r["id"], r["exit_code"]) for r in d["runs"]] == [("aaaaaa", 0), ("bbbbbb", 3)]' "$work/out"
# --any: the one that is over, although the other continues.
exits 0 rv wait --any cccccc aaaaaa
equal "the first" aaaaaa "$out"
exits 3 rv wait --any cccccc bbbbbb
equal "the first" bbbbbb "$out"
in_background "$RV" wait aaaaaa cccccc
waiting=$!
sleep 1 # a client that waited only for the first would end by then
kill -0 "$waiting" || fail "does not wait for the second"
end cccccc 0
code=0
wait "$waiting" || code=$?
equal "exit code of all" 0 "$code"
