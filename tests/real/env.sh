#!/usr/bin/env bash
# rv env: the job gets the variables byte for byte, on every node and in every segment. The values never appear in Slurm's
# records, the run folder or a process list, and are removed with the run.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

secret="it's \$HOME; a \"secret\"
on two lines"
exits 2 rv env set KEY "$secret"
exits 2 rv env set "KEY=$secret"
[[ $err != *secret* ]] || fail "the value is in the message"
printf '%s\n' "$secret" | rv env set KEY 2>/dev/null
exits 0 env OTHER=from-here "$RV" env set OTHER --from-env
printf 'export THIRD=3\nFOURTH="4 # 4"\n' >vars.env
exits 0 rv env import vars.env
exits 0 rv env rm THIRD
exits 2 rv env rm FORTH
contains "the nearest" 'did you mean "FOURTH"' "$err"
exits 0 rv env
listed=$out
exits 0 rv env list
without_age() { awk '{ print $1, $2, $3 }'; }
equal "rv env" "$(without_age <<<"$out")" "$(without_age <<<"$listed")"
equal "masked" "FOURTH KEY OTHER" "$(awk 'NR > 1 && $2 == "********" { print $1 }' <<<"$out" | paste -sd' ')"
[[ $out != *secret* ]] || fail "the list shows a value"
exits 0 rv env list --json
equal bytes "${#secret}" "$(python3 -c 'import json,sys; print([v["bytes"] for v in json.load(sys.stdin)["variables"] if v["name"]=="KEY"][0])' <<<"$out")"
equal modes "600 700" "$(stat -c %a "$RV_HOME/env/KEY" "$RV_HOME/env" | paste -sd' ')"
# On a terminal the value is typed without echo.
python3 "$root/tests/on_terminal.py" '[{"until": "Value of TYPED: "}, "typed-value\n"]' "$RV" env set TYPED >typescript || fail "not typed: $(<typescript)"
equal "what was typed" typed-value "$(<"$RV_HOME/env/TYPED")"
rv env rm TYPED

# While it waits and while it runs: in the folder's one file, and nowhere else. The caller's own variable of that name
# would be kept by Slurm.
export KEY=$secret
exits 0 rv run -t a40 --name one --time 5m bash -c 'touch begun; until [ -e go ]; do sleep 0.1; done; printf %s "$KEY" >got; echo "$OTHER $FOURTH"'
running() { [ "$(field one "['state']")" = running ]; }
wait_for 30 running || fail "does not run: $(rv show one)"
wait_for 30 test -e begun || fail "the command does not begin" # until then the job reads the file that is put aside below
folder=$(field one "['run_folder']") job=$(field one "['candidates'][0]['job_id']")
equal "mode in the run folder" 600 "$(stat -c %a "$folder/environment")"
nowhere() { ! grep -rlF 'a "secret"' "$@" || fail "$1 has the value"; }
mv "$folder/environment" "$work/aside"
nowhere "$folder"
mv "$work/aside" "$folder/environment"
scontrol show job -dd "$job" >shown
scontrol write batch_script "$job" - >>shown
nowhere shown
# What slurmctld keeps of the submission, environment included.
find "$RV_SANDBOX_DIR" -path "*job.$job/*" -type f >kept
[ -s kept ] || fail "slurmctld's copy of the submission is not where this test looks for it"
while read -r file; do nowhere "$file"; done <kept
touch go
over() { [ "$(field "$1" "['over']")" = True ]; }
wait_for 20 over one || fail "not over"
equal "the value in the job" "$secret" "$(<got)"
equal "the others" "from-here 4 # 4" "$(rv logs one)"
[ ! -e "$folder/environment" ] || fail "the values are still there after the end"
nowhere "$folder"
unset KEY

# On two nodes, every process; and in a shell on a held node.
exits 0 rv run -f -g 2 --nodes 2 -t a40 --time 5m bash -c 'test "${#KEY}" = '"${#secret}"' && echo right'
equal "on both" 2 "$(grep -c right <<<"$out")"
exits 0 rv up --detach -t a40 --time 5m
id=$out
holding() { [ "$(field "$id" "['state']")" = holding ]; }
wait_for 30 holding || fail "does not hold"
{ echo 'echo "shell has $OTHER"'; echo exit; } >typed
script -qec "$RV shell $id" /dev/null <typed >typescript || true
contains "in a shell" "shell has from-here" "$(<typescript)"
exits 0 rv stop "$id"
gone() { [ ! -e "$RV_HOME/runs/$id/environment" ]; }
wait_for 20 gone || fail "the values outlive rv stop"
# One that never started.
occupy gpu-a40 2 8 >/dev/null
exits 0 rv run -t a40 -g 8 --name waits --time 5m true
waiting=$(field waits "['run_folder']")
[ -e "$waiting/environment" ] || fail "a waiting run has no values"
exits 0 rv stop waits
[ ! -e "$waiting/environment" ] || fail "the values of a run that was stopped are still there"
scancel -u "$(id -un)"

# An array keeps them until its last element's end, a job that may be requeued until Slurm won't start it again; no rv
# looks at either meanwhile.
exits 0 rv run -t a40 --array 0-2%1 --name many --time 5m \
  'echo "$OTHER" && [ -e "$RV_RUN_DIR/environment" ] && [ "$RV_ARRAY_INDEX" != 1 ]'
many=$RV_HOME/runs/$out
ends() { cat "$1"/[0-9]* 2>/dev/null | grep '^exit '; }
all_ended() { [ "$(ends "$many/elements" | wc -l)" -eq 3 ]; }
wait_for 40 all_ended || fail "the elements do not end"
forgotten() { [ ! -e "$1/environment" ]; }
wait_for 5 forgotten "$many" || fail "the values outlive the array"
equal "in every element" 3 "$(cat "$many"/logs/*.out | grep -c from-here)"
equal "the codes" "0 0 1" "$(ends "$many/elements" | cut -d' ' -f7 | sort | paste -sd' ')"
exits 0 rv run -t a40 --requeue --name again --time 5m bash -c 'exit 3'
again=$RV_HOME/runs/$out
ended() { ends "$again/ledger" >/dev/null; }
wait_for 20 ended || fail "does not end"
wait_for 5 forgotten "$again" || fail "the values outlive a failed run that nobody starts again"

# A chain: the next segment has them, and its submission has not.
cat >train.sh <<'S'
echo "$OTHER" >>seen
trap 'date >"$RV_CHECKPOINT_DIR/state"; exit 0' USR1
[ "$(wc -l <seen)" -lt 2 ] || exit 0
echo x >"$RV_CHECKPOINT_DIR/state"
exit 1
S
exits 0 rv run -f --checkpoint --time 10m --segment-time 5m -t a40 --name chain bash train.sh
equal "in both starts" "from-here from-here" "$(paste -sd' ' seen)"
[ ! -e "$(field chain "['run_folder']")/environment" ] || fail "the chain's values are still there"
