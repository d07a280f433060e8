#!/usr/bin/env bash
# rv map: many tasks in one run, each exactly once on GPUs of its own; failures, retries and several nodes.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the task is in single quotes
source "$(dirname "$0")/lib.sh"

results() { rv map --results "$1" --json | python3 -c "import json,sys; d=json.load(sys.stdin); print($2)"; }

# Values are arguments, whatever characters they have, and the placeholders are filled in each argument.
exits 0 rv map -f -g 4 --time 5m --name values -- \
  bash -c 'printf "%s|" "$@" >"out.$RV_TASK"; echo "$RV_TASK of $RV_TASKS on $CUDA_VISIBLE_DEVICES, rank $RANK of $WORLD_SIZE"' task 'a={}' '{#}' '{{}}' \
  ::: plain 'two words' '$(touch shell)' '; touch shell' ''
equal "a blank" "a=two words|2|{}|" "$(cat out.2)"
equal "shell syntax" 'a=$(touch shell)|3|{}|' "$(cat out.3)"
equal "an empty value" "a=|5|{}|" "$(cat out.5)"
[ ! -e shell ] || fail "a value reached a shell"
contains "its output" "2 of 5 on 1, rank 0 of 1" "$(rv logs values --task 2)"
contains "summary" "5 of 5 tasks ok" "$(rv show values)"
equal "counts" 5 "$(field values "['tasks']['ok']")"
equal "a second run of it" 2 "$(rv rerun values >/dev/null 2>&1; echo $?)"

# GPUs: two tasks share one and no more, and tasks of two GPUs share none.
busy='set -C; for gpu in ${CUDA_VISIBLE_DEVICES//,/ }; do
  for place in $(seq $0); do { echo >"gpu$gpu.$place"; } 2>/dev/null && { mine+=" gpu$gpu.$place"; continue 2; }; done
  echo "GPU $gpu has too many tasks"; exit 9
done; sleep 0.2; rm $mine'
exits 0 rv map -f -g 2 --single-node --per-gpu 2 --time 5m --name shared -- bash -c "$busy" 2 {} ::: $(seq 16)
equal "GPUs" "['0', '1']" "$(results shared "sorted({t['gpus'] for t in d['tasks']})")"
exits 0 rv map -f -g 4 --gpus-per-task 2 --time 5m --name pairs -- bash -c "$busy" 1 {} ::: $(seq 6)
equal "pairs" "['0,1', '2,3']" "$(results pairs "sorted({t['gpus'] for t in d['tasks']})")"
# CPUs: as many tasks at a time as fit.
exits 0 rv map -f -g 0 --cpus 4 -c 2 --time 5m --name cpus -- bash -c 'echo "$OMP_NUM_THREADS threads"' {} ::: 1 2 3
contains "threads" "2 threads" "$(rv logs cpus --task 3)"

# Failures, with their numbers; a task is started again only with --retries.
exits 1 rv map -f -g 2 --time 5m --name failing -- bash -c 'echo x >>"tries.$0"; case $0 in 2) exit 7;; 3) kill -SEGV $$;; esac' {} ::: 1 2 3 4
contains "summary" "2 of 4 tasks ok, 2 failed: tasks 2 (exit code 7), 3 (SIGSEGV)" "$(rv show failing)"
exits 1 rv map -f -g 2 --retries 2 --time 5m --name retried -- \
  bash -c 'echo x >>"again.$0"; echo "try $(wc -l <"again.$0")"; [ "$0" = 1 ] || [ "$(wc -l <"again.$0")" -eq 3 ] && [ "$0" != 3 ]' {} ::: 1 2 3
equal "successful task" 1 "$(lines_in again.1)"
equal "third attempt" 3 "$(lines_in again.2)"
equal "no fourth attempt" 3 "$(lines_in again.3)"
contains "output of all attempts" $'try 1\ntry 2\ntry 3' "$(rv logs retried --task 2)"
# A program that is not there.
exits 1 rv map -f -g 1 --time 5m --name missing -- ./missing {} ::: 1
equal "its code" 127 "$(results missing "d['tasks'][0]['exit_code']")"
contains "why" "No such file" "$(rv logs missing --task 1)"

# JSON lines, from stdin; a blank line is left out.
printf '{"lr": 0.1, "name": "a b"}\n\n{"lr": 3, "name": "c"}\n' >tasks.jsonl
rv map -f -g 1 --time 5m --name fields -- bash -c 'echo "$1 $2" >"named.$RV_TASK"' task 'lr={lr}' '{name}' <tasks.jsonl
equal "members" "lr=0.1 a b" "$(cat named.1)"
equal "numbers" "lr=3 c" "$(cat named.2)"

# Two nodes: every task once, none of them on both. One that fails does not end the other node's.
seq 200 >list
exits 1 rv map -f -g 2 --nodes 2 --time 5m --name two -a list -- bash -c 'echo $0 >>ended; sleep 0.02; [ $0 != 20 ]' {}
equal "each task once" "$(sort list)" "$(sort ended)"
equal "nodes" 2 "$(results two "len({t['node'] for t in d['tasks']})")"
equal "failed" 1 "$(results two "d['counts']['failed']")"

# Many short tasks in few jobs, claims and files.
seq 2000 >many
exits 0 rv map -f -g 4 --time 5m --name many -a many -- true
equal "all" 2000 "$(results many "d['counts']['ok']")"
folder=$(field many "['run_folder']")
[ "$(find "$folder" -type f | wc -l)" -lt 300 ] || fail "$(find "$folder" -type f | wc -l) files"
