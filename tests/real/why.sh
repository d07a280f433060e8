#!/usr/bin/env bash
# rv why names the cause of a failure with its proof, from the command's output or from Slurm. If the cause is unknown, rv why
# says so.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# cause RUN EXPECTED: of the JSON document.
cause() { equal "cause of $1" "$2" "$(rv why "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["cause"])')"; }

# A missing module of Python's: file and line of the proof are those of the log.
exits 1 rv run -f -t a6000 --time 5m --name import 'echo begun; python3 -c "import nosuchmodule"'
contains "the way to rv why" "names the cause" "$err"
cause import python_import
told=$(rv why import)
proof=$(sed -n 's/^proof  \(logs[^ ]*\.err:[0-9]*\): .*/\1/p' <<<"$told")
line=$(sed -n "${proof##*:}p" "$(field import "['run_folder']")/${proof%:*}")
equal "the line the proof names" "ModuleNotFoundError: No module named 'nosuchmodule'" "$line"
contains "rv show's hint" "rv why" "$(rv show import)"

# Unknown cause: the end of stderr is shown.
exits 3 rv run -f -t a6000 --time 5m --name riddle 'echo an unheard-of thing >&2; exit 3'
cause riddle unknown
contains "tail" "an unheard-of thing" "$(rv why riddle)"

exits 127 rv run -f -t a6000 --time 5m --name nowhere 'nosuchprogram --now'
cause nowhere command_not_found

# Cancelled outside of rv, and by rv.
rv run -t a6000 --time 5m --name gone sleep 300 >/dev/null 2>&1
started() { [ "$(field "$1" "['state']")" = running ]; }
over() { [ "$(field "$1" "['over']")" = True ]; }
wait_for 30 started gone || fail "does not run"
cause gone under_way
scancel -u "$(id -un)"
wait_for 20 over gone || fail "not over: $(rv show gone)"
by_whom() { rv why gone | grep -q "cancelled by you"; }  # accounting lags
wait_for 20 by_whom || fail "by whom: $(rv why gone)"
rv run -t a6000 --time 5m --name stopped sleep 300 >/dev/null 2>&1
wait_for 30 started stopped || fail "does not run"
rv stop stopped >/dev/null
wait_for 20 over stopped || fail "not over: $(rv show stopped)"
contains "by rv" "stopped with rv" "$(rv why stopped)"

# One that waits, and one that was refused at the working folder.
busy=$(occupy gpu-a6000 2 a6000:8)
mkdir doomed
(cd doomed && rv run -t a6000 --time 5m --name homeless true >/dev/null 2>&1)
cause homeless pending
rmdir doomed
scancel "$busy"
wait_for 20 over homeless || fail "not over: $(rv show homeless)"
cause homeless work_folder

# A long log is read at its end only.
exits 1 rv run -f -t a6000 --time 5m --name long 'seq 200000; echo "cp: error writing x: Disk quota exceeded"; exit 1'
cause long no_space
exits 122 rv why nosuchrun

# A job that rv did not submit.
job=$(sbatch --parsable -p standard -t 5 -o "$work/foreign.log" --wrap 'echo "ModuleNotFoundError: No module named numpy"; exit 4')
ended() { [ "$(squeue -h -j "$job" -o %T 2>/dev/null)" = "" ]; }
wait_for 30 ended || fail "the job does not end"
exits 0 rv why "$job"
contains "a job" "job    $job  wrap: failed, exit code 4" "$out"
contains "its cause" "Python could not import a module" "$out"
contains "its proof" "$work/foreign.log:1: ModuleNotFoundError" "$out"
silent=$(sbatch --parsable -p standard -t 5 -o /dev/null --wrap 'exit 3')
silent_ended() { [[ "$(scontrol -o show job "$silent")" == *JobState=FAILED* ]]; }
wait_for 30 silent_ended || fail "does not end: $(squeue)"
exits 0 rv why "$silent"
contains "without output" "next   the job has no output file that rv can read" "$out"
job=$(sbatch --parsable -p standard -t 5 -H -o /dev/null --wrap true)
exits 0 rv why "$job"
contains "a held job" "it will not start by itself" "$out"
equal "JSON" "$job queued pending" "$(rv why "$job" --json | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["id"], d["state"], d["cause"])')"
scancel "$job"
exits 122 rv why 99999999
contains "none" 'no run has the ID or name "99999999"' "$err"
