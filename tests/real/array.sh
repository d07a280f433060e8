#!/usr/bin/env bash
# An array runs its command once per element, each with its own end, log and outputs; rv shows one run.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

over() { [ "$(field "$1" "['over']")" = True ]; }

# Every element once, no more than two at a time, whatever the race offered.
exits 0 rv run -f -g 1 --time 5m --name sweep --array 0-5%2 -o 'result' \
  'echo "$RV_ARRAY_INDEX" >>ran; ls running-* 2>/dev/null | wc -l >>others; touch running-$RV_ARRAY_INDEX
   mkdir -p result; echo "says $RV_ARRAY_INDEX"; sleep 0.5; rm running-$RV_ARRAY_INDEX'
equal "executions" "0 1 2 3 4 5" "$(sort -n ran | paste -sd' ')"
[ "$(sort -n others | tail -1)" -le 1 ] || fail "more than two at a time: $(paste -sd' ' others)"
equal "output" "0| says 0 1| says 1 2| says 2 3| says 3 4| says 4 5| says 5" "$(sort <<<"$out" | paste -sd' ')"
id=$(field sweep "['id']")
equal "log of one element" "says 3" "$(<"$RV_HOME/runs/$id/logs/3.out")"
equal "elements with outputs" 6 "$(find "$RV_HOME/runs/$id/output" -mindepth 2 -name result | wc -l)"
equal "detail" "exit code 0; 6 of 6 elements done" "$(field sweep "['detail']")"
equal "elements in JSON" 6 "$(field sweep "['array']['elements'].__len__()")"

# The first bad element's code is the run's, and the bad ones are named.
exits 4 rv run -f -g 1 --time 5m --name uneven --array 1,4,7-8 'case $RV_ARRAY_INDEX in
  1) echo "CUDA out of memory, going on with less" >&2 ;;
  4) echo "ModuleNotFoundError: No module named numpy" >&2; exit 4 ;;
  8) exit 2 ;; esac'
equal "state" failed "$(field uneven "['state']")"
equal "detail" "exit code 4; 2 of 4 elements done, 2 failed (4, 8)" "$(field uneven "['detail']")"

# The proof is of an element that failed, not of one that went well all the same.
exits 0 rv why uneven
contains "proof" "logs/4.err" "$out"
contains "Slurm's word" "ExitCode=" "$out"
[[ $out != *"out of memory"* && $out != *"ExitCode=0:0"* ]] || fail "the proof is of an element that went well: $out"

contains "causes by element" "element 4: exit code 4, " "$out"
contains "causes by element" "element 8: exit code 2" "$out"
equal "causes in JSON" "[4] [8]" "$(rv why uneven --json | python3 -c 'import json,sys; print(*[e["indices"] for e in json.load(sys.stdin)["elements"]])')"
exits 0 rv why uneven --element 8
contains "the output of that element" "next   rv logs $(field uneven "['id']") --element 8 shows all of its output" "$out"
rv run -f -g 1 --time 5m --name alike --array 0-9 'echo "says $RV_ARRAY_INDEX"; [ $((RV_ARRAY_INDEX % 5)) != 3 ]' >/dev/null 2>&1 || true
exits 0 rv why alike
contains "alike" "elements 3, 8: exit code 1" "$out"
contains "whose lines" "last lines of the output of element 3" "$out"
exits 0 rv report alike -o alike.html
contains "output of an element that went well" "logs/7.out" "$(<alike.html)"

# Stopped while it runs: finished elements stay finished, and no further element begins.
rv run -g 1 --time 5m --name long --array 0-3%1 'echo "$RV_ARRAY_INDEX" >>begun; [ "$RV_ARRAY_INDEX" = 0 ] || sleep 300' \
  >/dev/null 2>&1
wait_for 30 has_lines begun 2 || fail "does not begin: $(rv show long)"
contains "in between" "1 of 4 elements done" "$(field long "['detail']")"
# A shell in the element that runs, with its number; one that does not is named.
exits 0 bash -c 'echo "echo element \$RV_ARRAY_INDEX of \$RV_RUN_ID" | "$RV" shell long'
contains "a shell" "element 1 of $(field long "['id']")" "$out"
exits 122 rv shell long --element 3
contains "not running" "element 3 of run $(field long "['id']") is not running now" "$err"
exits 125 rv gpu long
contains "GPUs of an element" "this node has no nvidia-smi" "$err"
exits 2 rv shell uneven --element x
exits 0 rv stop long
wait_for 30 over long || fail "not over: $(rv show long)"
equal "state" stopped "$(field long "['state']")"
wait_for 20 no_jobs || fail "jobs left: $(squeue)"
equal "begun" "0 1" "$(paste -sd' ' begun)"

# Some elements are stopped: one that runs, one that waits and one that is over. The others continue.
rv run -g 1 --time 5m --name some --array 0-4%2 'echo "$RV_ARRAY_INDEX" >>some; [ "$RV_ARRAY_INDEX" != 1 ] || sleep 300' \
  >/dev/null 2>&1
wait_for 30 has_lines some 2 || fail "does not begin: $(rv show some)"
zero_is_over() { [[ $(rv show some --json | python3 -c 'import json,sys; print([e["state"] for e in json.load(sys.stdin)["array"]["elements"] if e["index"] == 0])') == *done* ]]; }
wait_for 30 zero_is_over || fail "element 0 does not end"
exits 2 rv stop some --element 9
exits 2 rv stop some --all --element 1
exits 0 rv stop some --element 0-1
contains "what was stopped" "element 1 stopped; element 0 was over already" "$out"
wait_for 60 over some || fail "not over: $(rv show some)"
equal "state" stopped "$(field some "['state']")"
equal "detail" "on request; 4 of 5 elements done, 1 stopped (1)" "$(field some "['detail']")"
equal "ran" "0 1 2 3 4" "$(sort -n some | paste -sd' ')"
contains "the cause" "cause  element 1 was stopped with rv (rv stop --element)" "$(rv why some)"
contains "the cause of the element" "cause  it was stopped with rv (rv stop --element)" "$(rv why some --element 1)"
rv run -g 1 --time 5m --name held --array 0-3%1 'echo "$RV_ARRAY_INDEX" >>held; [ "$RV_ARRAY_INDEX" != 0 ] || until [ -e go ]; do sleep 0.2; done' \
  >/dev/null 2>&1
wait_for 30 has_lines held 1 || fail "does not begin: $(rv show held)"
job=$(field held "['candidates'][0]['job_id']")
exits 0 rv stop "${job}_2"
contains "an element that waits" "element 2 stopped before the start" "$out"
touch go
wait_for 60 over held || fail "not over: $(rv show held)"
equal "detail" "on request; 3 of 4 elements done, 1 stopped (2)" "$(field held "['detail']")"
equal "ran" "0 1 3" "$(sort -n held | paste -sd' ')"
wait_for 20 no_jobs || fail "jobs left: $(squeue)"

# One element is killed from outside: the others end as they do, and it is named.
rv run -g 1 --time 5m --name holed --array 0-2 'echo x >>holes; [ "$RV_ARRAY_INDEX" != 1 ] || exec sleep 300' >/dev/null 2>&1
wait_for 30 has_lines holes 3 || fail "does not begin: $(rv show holed)"
ended() { [ "$(grep -l '^exit ' "$RV_HOME/runs/$(field holed "['id']")"/elements/* | wc -l)" -ge 2 ]; }
wait_for 30 ended || fail "two should have ended"
scancel --signal=KILL --full "$(field holed "['candidates'][0]['job_id']")_1"
wait_for 60 over holed || fail "not over: $(rv show holed)"
contains "detail" "2 of 3 elements done, 1 failed (1)" "$(field holed "['detail']")"
[ "$(field holed "['state']")" != "done" ] || fail "an element without an end was taken for a good one"

exits 2 rv run --array 5-2 true
contains "backwards" "expected an ascending range, not '5-2'" "$err"
exits 2 rv run --array 0-3 --checkpoint true
contains "with a chain" "--array and --checkpoint" "$err"
exits 2 rv run -n --array 0-2000 true
contains "beyond the site's limit" "2000 is beyond the largest index of this cluster, 1000 (MaxArraySize)" "$err"
exits 0 rv run -n --array 900-1000 true
