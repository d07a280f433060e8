#!/usr/bin/env bash
# rv uses colour and the hint's arrow only where the terminal can show them.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
export TERM=xterm
escape=$(printf '\033')
runs on_terminal "$RV" plan --cluster "$cluster"
contains stdout "${escape}[1m" "$out"
NO_COLOR=1 runs on_terminal "$RV" plan --cluster "$cluster"
lacks stdout "$escape" "$out"
TERM=dumb runs on_terminal "$RV" plan --cluster "$cluster"
lacks stdout "$escape" "$out"
runs rv plan --cluster "$cluster"
lacks stdout "$escape" "$out"
runs on_terminal "$RV" upp
contains stdout '  → see rv --help' "$out"
LC_ALL=C runs on_terminal "$RV" upp
contains stdout 'hint: see rv --help' "$out"
# So are the signs that rv itself writes; files and pipes are UTF-8 whatever the locale is.
runs on_terminal "$RV" plan --cluster "$cluster"
contains stdout '× ' "$out"
LC_ALL=C runs on_terminal "$RV" plan --cluster "$cluster"
contains stdout '1x ' "$out"
lacks stdout '×' "$out"
LC_ALL=C runs rv plan --cluster "$cluster"
contains stdout '× ' "$out"

# States and errors have colours, where colours are.
folder=$RV_HOME/runs/aaaaaa
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
printf '{"version":2,"id":"aaaaaa","name":"x","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
  "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[]}' >"$folder/run.json"
printf 'outcome 1 0 0 0 failed 3 here 1795262500 token - {"detail":""}\n' >"$folder/ledger/1"
for words in "ps -a" "show aaaaaa" "why aaaaaa"; do
  # shellcheck disable=SC2086 # a command and its words
  runs on_terminal "$RV" $words
  contains stdout "${escape}[1;38;5;170mfailed${escape}[0m" "$out"
  # shellcheck disable=SC2086
  NO_COLOR=1 runs on_terminal "$RV" $words
  lacks stdout "$escape" "$out"
  # shellcheck disable=SC2086
  runs rv $words
  lacks stdout "$escape" "$out"
  contains stdout failed "$out"
done
runs on_terminal "$RV" upp
contains stdout "rv: ${escape}[1;38;5;170merror:${escape}[0m" "$out"
NO_COLOR=1 runs on_terminal "$RV" upp
contains stdout "rv: error:" "$out"
