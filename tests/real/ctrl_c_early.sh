#!/usr/bin/env bash
# Ctrl-C at any moment from the creation of the run folder to the first polls cancels the race, and rv reports it.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

occupy gpu-a6000 2 a6000:8 >/dev/null
nothing_queued() { ! squeue -h --me -o %j | grep -q '@'; }
# try UNTIL DELAY ARGUMENTS…: interrupted so many seconds after the run's folder, or a file in it, has come.
try() {
  python3 "$root/tests/real/interrupt_early.py" "$RV" "$RV_HOME/runs" "$@" || fail "Ctrl-C $2 s after $1"
  wait_for 20 nothing_queued || fail "candidates are left: $(squeue -h)"
}
for delay in 0 0.001 0.003 0.01 0.03; do
  for until in folder run.json; do
    try "$until" "$delay" run -t a6000 --time 5m true
    try "$until" "$delay" run -f -t a6000 --time 5m true
    try "$until" "$delay" up -t a6000 --time 5m --detach --run true
    try "$until" "$delay" up -t a6000 --time 5m
  done
done
equal "runs under way" '{"runs":[]}' "$(rv ps --json | tr -d ' \n')"
