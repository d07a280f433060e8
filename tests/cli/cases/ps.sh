#!/usr/bin/env bash
# rv ps selects runs by state, name and age, stays readable with a thousand runs, and cuts nothing in a pipe.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
now=$(date +%s)
# make_run ID NAME AGE_S OUTCOME [DETAIL [CANDIDATES]]
make_run() {
  local folder=$RV_HOME/runs/$1
  mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
  printf '{"version":2,"id":"%s","name":"%s","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
    "created":%s,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[%s]}' "$1" "$2" "$((now - $3))" "${6:-}" >"$folder/run.json"
  [ -z "$4" ] || printf 'outcome 1 0 0 0 %s 0 here %s token - {"detail":"%s"}\n' "$4" "$now" "${5:-}" >"$folder/ledger/1"
}
ids() { awk 'NR > 1 { print $1 }' "$work/out" | paste -sd' '; }
shows() {
  exits 0 rv ps "${@:2}"
  [ "$(ids)" = "$1" ] || fail "rv ps ${*:2}: $(ids), expected $1"
}
long=$(printf 'x%.0s' {1..300})
make_run aaaaaa train 100 "done"
make_run bbbbbb train 200000 failed "$long"
make_run cccccc other 300 timeout
shows "aaaaaa cccccc bbbbbb" -a
contains stdout "$long" "$out"
contains stdout "$(date -d "@$((now - 100))" '+%Y-%m-%d %H:%M')" "$out"
shows "aaaaaa cccccc" -a --since 1d
shows "aaaaaa cccccc" --since 1d
shows "aaaaaa bbbbbb" -a --name trai
shows "bbbbbb" --state failed
shows "cccccc bbbbbb" --state failed,timeout
shows "cccccc bbbbbb" --state failed --state TIMEOUT
shows "cccccc" --state failed,timeout --limit 1
contains stderr 'rv: 1 older run is not shown' "$err"
shows "aaaaaa" -a --limit 1
contains stderr 'rv: 2 older runs are not shown' "$err"
runs rv ps -a --state failed --json
says JSON '[r["id"] for r in d["runs"]] == ["bbbbbb"] and d["runs"][0]["ends_by"] is None and d["runs"][0]["expected_start_range"] is None' "$work/out"
exits 2 rv ps --state faild
contains stderr '--state "faild": expected a state; did you mean "failed"?' "$err"
runs rv ps --name nothing
contains stderr 'rv: no such runs' "$err"
for i in {100..159}; do make_run "r$i" daily "$((i * 10 + 300000))" "done"; done
runs rv ps -a
[ "$(wc -l <"$work/out")" = 51 ] || fail 'not 50 runs'
contains stderr 'rv: 13 older runs are not shown; --limit 0 shows all' "$err"
runs rv ps -a --limit 0
[ "$(wc -l <"$work/out")" = 64 ] || fail 'not all runs'
runs rv ps -a --json
says JSON 'len(d["runs"]) == 63' "$work/out"
# One GPU is one GPU.
candidate() {
  printf '{"number":%s,"job_name":"pair@dddddd.%s","summary":"1 × A40","gpu_type":"a40","gpus":1,"nodes":1,"partition":"p%s",
    "free_now":false,"time_limit_s":60}' "$1" "$1" "$1"
}
make_run dddddd pair 50 stopped "" "$(candidate 1),$(candidate 2)"
runs rv ps -a --name pair
contains stdout '1 GPU, 2 candidates' "$out"
# A name of every day is never ambiguous for reading.
runs rv show daily --json
says JSON 'd["id"] == "r100"' "$work/out"
# Metrics: of all runs, as a file that is replaced whole and that a collector of another user can read.
umask 077
exits 0 rv ps --prometheus "$work/rv.prom"
contains 'runs of the last day' 'rv_runs_over{state="timeout"} 1' "$(<"$work/rv.prom")"
contains 'older runs' 'rv_runs_over{state="failed"} 0' "$(<"$work/rv.prom")"
equal 'who may read it' 644 "$(stat -c %a "$work/rv.prom")"
equal 'nothing else is left' rv.prom "$(cd "$work" && echo rv.*)"
exits 0 rv ps --prometheus - --since 7d
contains stdout 'created in the last 7d' "$out"
contains stdout 'rv_runs_over{state="failed"} 1' "$out"
exits 2 rv ps --prometheus "$work/rv.txt"
contains stderr 'does not end in .prom' "$err"
exits 2 rv ps --prometheus - --state failed
contains stderr 'can be combined only with --since' "$err"
exits 125 rv ps --prometheus "$work/nowhere/rv.prom"
contains stderr "$work/nowhere" "$err"
