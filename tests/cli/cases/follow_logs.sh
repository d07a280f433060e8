#!/usr/bin/env bash
# rv logs -f of a run without output: it decides whether lines carry node names only when the winner is known, and prints
# everything up to the end.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# make_run ID NODES: its winner is known to nobody yet.
make_run() {
  local folder=$RV_HOME/runs/$1
  mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
  printf '{"version":2,"id":"%s","name":"x","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
    "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[{"number":1,"job_name":"x@%s.1",
    "summary":"way","gpu_type":"a40","gpus":1,"nodes":%s,"partition":"gpu","free_now":false,"time_limit_s":60}]}' \
    "$1" "$1" "$2" >"$folder/run.json"
  printf '{"time":1795262400,"event":"submitted","candidate":1,"job_id":7}\n' >"$folder/events.jsonl"
}
# entry ID NUMBER TEXT: an entry of the ledger is there whole, or not at all.
entry() {
  echo "$3" >"$work/entry"
  mv "$work/entry" "$RV_HOME/runs/$1/ledger/$2"
}
# begin ID, end ID: the job's entries.
begin() {
  entry "$1" 1 'claim 1 1 7 0 - - n1 1795262401 t n[1-2]'
  entry "$1" 2 'start 1 1 7 0 0 - n1 1795262402 t n[1-2]'
}
end() { entry "$1" 3 'exit 1 1 7 0 exited 0 n1 1795262403 t n[1-2]'; }

# follow ID ARGUMENTS…: in the background; its output in $work/out.
follow() {
  in_background "$RV" logs -f "$@"
  following=$!
}
lines_are() { [ "$(sort "$work/out")" = "$1" ]; }
shown() { wait_for 30 lines_are "$1" || fail "not shown: $1"; }
ended() {
  wait "$following"
  equal "exit code" 0 "$?"
  out=$(<"$work/out")
}

make_run twooof 2
follow twooof
sleep 0.5 # rv polls a run without a winner
begin twooof
echo "says one" >"$RV_HOME/runs/twooof/logs/n1.out"
shown "n1| says one"
echo "says two" >"$RV_HOME/runs/twooof/logs/n2.out"
shown "$(printf 'n1| says one\nn2| says two')"
printf "no line end" >>"$RV_HOME/runs/twooof/logs/n2.out"
end twooof
ended
contains stdout "n2| no line end" "$out"

make_run oneofn 1
follow oneofn
sleep 0.3 # as above
begin oneofn
echo "says one" >"$RV_HOME/runs/oneofn/logs/n1.out"
shown "says one"
end oneofn
ended
equal stdout "says one" "$out"

# One node of several needs no name; what is over already is shown whole.
make_run chosen 2
begin chosen
printf 'first\nlast\n' >"$RV_HOME/runs/chosen/logs/n1.out"
echo "other" >"$RV_HOME/runs/chosen/logs/n2.out"
end chosen
follow chosen --node n1
ended
equal stdout "$(printf 'first\nlast')" "$out"
follow chosen --tail 1
ended
[ "$(sort "$work/out")" = "$(printf 'n1| last\nn2| other')" ] || fail "the tails with their nodes"

# A progress bar: its last state in a file, also while it continues; on a terminal, and with --raw, as it was drawn.
make_run drawsa 1
begin drawsa
printf 'start\n 10%%\r 50%%' >"$RV_HOME/runs/drawsa/logs/n1.out"
follow drawsa
shown start
printf '\r100%%\nend\n' >>"$RV_HOME/runs/drawsa/logs/n1.out"
end drawsa
ended
equal stdout "$(printf 'start\n100%%\nend')" "$out"
follow drawsa --raw
ended
equal stdout "$(printf 'start\n 10%%\r 50%%\r100%%\nend')" "$out"
python3 "$root/tests/on_terminal.py" '[]' "$RV" logs -f drawsa >"$work/out"
out=$(<"$work/out")
grep -q '10%.*50%.*100%' "$work/out" || fail 'a terminal does not get the bar as it is drawn'
