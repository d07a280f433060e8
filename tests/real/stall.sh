#!/usr/bin/env bash
# --stall: a command without progress is on record with what its processes do, stopped or restarted if that is asked for, and never
# one that computes, writes, reads or compiles in silence.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

folder_of() { field "$1" "['run_folder']"; }
has_stalled() { grep -hqs '"event":"stalled"' "$(folder_of "$1")"/jobs/*.jsonl; }
goes_on() { grep -hqs '"event":"progress"' "$(folder_of "$1")"/jobs/*.jsonl; }
evidence_of() { cat "$(folder_of "$1")"/stall/*.txt; }

# Silent work of four kinds, all longer than --stall; a silence of less than twice the longest before; and a node that waits while
# another one works.
silently() { rv run --time 5m --stall 10s --name "$@" >/dev/null 2>&1; }
silently computes -g 0 'end=$((SECONDS + 20)); while [ $SECONDS -lt $end ]; do :; done'
silently saves -g 0 'for _ in $(seq 20); do head -c 20000 /dev/zero >>checkpoint; sleep 1; done'
silently reads -g 0 'for _ in $(seq 20); do head -c 20000 /dev/zero >/dev/null; sleep 1; done'
silently builds -g 0 'for _ in $(seq 20); do for _ in $(seq 20); do /bin/true; done; sleep 0.9; done'
silently patient -g 0 'echo a; sleep 9; echo b; sleep 12; echo c'
silently one_works -g 2 --nodes 2 '[ "$RANK" = 1 ] || { sleep 25; exit; }; for _ in $(seq 24); do echo x; sleep 1; done'

# Warned of: the process that is stopped has its rank named, and the command goes on when it does.
exits 0 rv notify set hang --command "cat >>$PWD/hangs" --on stalled
exits 0 rv run -g 1 --time 5m --stall 10s --name warned \
  'for i in 1 2 3 4 5; do echo "step $i"; sleep 1; done; echo record >trace_0; export TORCH_FR_DUMP_TEMP_FILE=$PWD/trace_
   bash -c "echo \$\$ >stopped; kill -STOP \$\$; echo continued"; sleep 3; echo end'
wait_for 60 has_stalled warned || fail "not seen: $(rv show warned)"
contains "warning" "no progress for" "$(rv show warned)"
contains "suspect" "is suspended (state T)" "$(rv show warned)"
contains "evidence" "suspect: rank 0, process $(cat stopped) on " "$(evidence_of warned)"
contains "flight recorder" "flight recorder of rank 0: " "$(evidence_of warned)"
equal "its records" record "$(cat "$(folder_of warned)"/stall/*.trace_rank_0)"
wait_for 30 test -s hangs || fail "no notification"
contains "notification" '"event":"stalled"' "$(cat hangs)"
equal "notifications" 1 "$(lines_in hangs)"
kill -CONT "$(cat stopped)"
exits 0 rv notify rm hang
wait_for 30 goes_on warned || fail "the progress is not on record"
exits 0 rv wait warned
lacks "no warning of what is past" "no progress" "$(rv show warned)"

# Stopped: a process that ignores the TERM, and one that is stopped, end too.
exits 137 rv run -f -g 1 --time 5m --stall 10s --on-stall stop --name ended \
  'echo x >>ended; trap "" TERM; bash -c "kill -STOP \$\$"; while :; do sleep 100; done'
equal "executions" 1 "$(lines_in ended)"
contains "cause" "it made no progress for" "$(rv why ended)"
equal "its name" stalled "$(rv why ended --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["cause"])')"

# Started again, and not for another failure.
exits 0 rv run -f -g 1 --time 5m --stall 10s --on-stall restart --name again \
  'echo x >>again; [ "$(wc -l <again)" -gt 1 ] || exec sleep 300'
equal "executions" 2 "$(lines_in again)"
contains "why" "it made no progress for" "$(rv show again)"
exits 3 rv run -f -g 1 --time 5m --stall 10s --on-stall restart --name other 'echo x >>other; exit 3'
equal "executions" 1 "$(lines_in other)"

# Of two nodes, the rank that hangs is found on the other one.
exits 143 rv run -f -g 2 --nodes 2 --time 5m --stall 10s --on-stall stop --name both \
  'echo x >>both; [ "$RANK" = 1 ] && kill -STOP $$; sleep 300'
equal "executions" 2 "$(lines_in both)"
contains "the rank that hangs" "rank 1, process" "$(rv why both)"
equal "evidence of both nodes" 2 "$(find "$(folder_of both)/stall" -name '*.txt' | wc -l)"

for name in computes saves reads builds patient one_works; do
  exits 0 rv wait "$name"
  ! has_stalled "$name" || fail "$name is called a stall: $(rv show "$name"; evidence_of "$name")"
done

# A checkpointed command goes on from where it was.
exits 0 rv run -f -g 1 --checkpoint --time 10m --segment-time 5m --stall 10s --on-stall restart --name chain \
  'echo x >>chained; echo s >>"$RV_CHECKPOINT_DIR/state"; [ "$(wc -l <chained)" -gt 1 ] || exec sleep 300'
equal "starts of the chain" 2 "$(lines_in chained)"

exits 2 rv run --stall 5s true

# The setting is for all commands, and --stall never for one.
echo 'stall: 40s' >>"$RV_HOME/config.yaml"
exits 0 rv render -g 1 --time 5m sleep 1
contains "by the setting" "rv_stall_after=40 " "$out"
exits 0 rv render -g 1 --time 5m --stall never sleep 1
lacks "not this one" "rv_stall_after" "$out"
rm "$RV_HOME/config.yaml"
exits 2 rv run --on-stall stop true
exits 2 rv run --stall 20m --on-stall kill true
exits 2 rv up --stall 20m
