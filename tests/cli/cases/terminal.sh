#!/usr/bin/env bash
# Colour and the arrow only where they can be shown.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
export TERM=xterm
escape=$(printf '\033')
on_terminal "$RV" plan --cluster "$cluster" > "$scratch/out"
out_has "${escape}[1m"
NO_COLOR=1 on_terminal "$RV" plan --cluster "$cluster" > "$scratch/out"
out_lacks "$escape"
TERM=dumb on_terminal "$RV" plan --cluster "$cluster" > "$scratch/out"
out_lacks "$escape"
rv plan --cluster "$cluster"
out_lacks "$escape"
on_terminal "$RV" upp > "$scratch/out"
out_has '  → see rv --help'
LC_ALL=C on_terminal "$RV" upp > "$scratch/out"
out_has 'hint: see rv --help'

# States and errors have colours, where colours are.
folder=$RV_HOME/runs/aaaaaa
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
printf '{"version":2,"id":"aaaaaa","name":"x","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
  "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[]}' >"$folder/run.json"
printf 'outcome 1 0 0 0 failed 3 here 1795262500 token - {"detail":""}\n' >"$folder/ledger/1"
for words in "ps -a" "show aaaaaa" "why aaaaaa"; do
  # shellcheck disable=SC2086 # a command and its words
  on_terminal "$RV" $words >"$scratch/out"
  out_has "${escape}[1;38;5;170mfailed${escape}[0m"
  # shellcheck disable=SC2086
  NO_COLOR=1 on_terminal "$RV" $words >"$scratch/out"
  out_lacks "$escape"
  # shellcheck disable=SC2086
  rv $words
  out_lacks "$escape"
  out_has failed
done
on_terminal "$RV" upp >"$scratch/out"
out_has "rv: ${escape}[1;38;5;170merror:${escape}[0m"
NO_COLOR=1 on_terminal "$RV" upp >"$scratch/out"
out_has "rv: error:"
