#!/usr/bin/env bash
# An error is two lines on stderr, or one JSON object with --json, and has the documented exit code.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
exits 2 rv upp
equal stdout '' "$out"
equal stderr 'rv: error: unknown command "upp"; did you mean "up"?
hint: see rv --help for the commands' "$err"
exits 2 rv plan --gpuz 4
equal stderr 'rv: error: unknown option "--gpuz" for rv plan; did you mean "--gpu"?
hint: see rv plan --help' "$err"
exits 2 rv plan --tyme 3h
contains "two names that are equally near" '; did you mean "--type" or "--time"?' "$err"
exits 2 rv plan --keep
lacks "a name that is near only with its dashes" 'did you mean' "$err"
exits 2 rv --json upp
equal stdout '' "$out"
says JSON 'd == {"error": {"message": "unknown command \"upp\"; did you mean \"up\"?", "advice": "see rv --help for the commands", "exit_code": 2}}' "$work/err"
exits 2 rv plan --time soon --json
says JSON 'd["error"]["message"] == "--time \"soon\": expected a length of time above 0"' "$work/err"
[ "$(wc -l < "$work/err")" = 1 ] || fail 'not one line'
exits 2 rv cluster stray
contains stderr 'stray' "$err"
exits 2 rv cluster one two
contains "words in the order in which they were typed" 'rv cluster does not accept "one" "two"' "$err"
exits 2 rv up nvidia-smi
equal stderr 'rv: error: rv up does not accept "nvidia-smi"
hint: rv run CMD runs a command on GPUs; so does rv up --run '\''CMD'\' "$err"
# Ports are checked before anything is planned.
for wrong in 'up --open 99999 -n' 'jupyter --port 99999 -n' 'jupyter --port 0 -n' 'jupyter --port x -n'; do
  # shellcheck disable=SC2086 # several arguments
  exits 2 rv $wrong
  contains "$wrong" 'port' "$err"
done
contains stderr '--port 8888' "$err"
exits 2 rv exec --timeout 0 true
contains stderr 'expected a length of time above 0' "$err"
# A required argument that is missing: the hint is a call that works.
exits 2 rv pull
equal stderr 'rv: error: rv pull needs its argument "RUN"
hint: for example: rv pull train (rv ps -a lists your runs)' "$err"
exits 2 rv sync
equal stderr 'rv: error: rv sync needs its argument "ACTION"
hint: for example: rv sync push; the actions are push, pull and watch' "$err"
# A dry run rejects what the run would reject.
exits 2 rv jupyter --nodes 2 -n
contains stderr 'rv jupyter runs one process on one node' "$err"
# Options that need or exclude another one.
exits 2 rv gc --keep 3d
equal stderr 'rv: error: --keep needs --reports
hint: add --reports, or remove --keep' "$err"
exits 2 rv gc --reports --older-than 3d
equal stderr "rv: error: --older-than and --reports can't be combined
hint: remove one of them" "$err"
exits 2 rv completion
contains stderr 'hint: for example: rv completion bash' "$err"
# A full disk is not success.
if [ -w /dev/full ]; then
  "$RV" --help > /dev/full 2> "$work/err"
  code=$?
  err=$(<"$work/err")
  equal "exit code" 125 "$code"
  contains stderr 'No space left on device' "$err"
fi
# Retries are checked before anything is planned.
exits 2 rv run --retries -1 true
equal stderr 'rv: error: --retries "-1": expected a whole number from 0 to 100
hint: write it like --retries 4' "$err"
exits 2 rv run --retries 2 --retry-on tiemout true
contains stderr 'oom or the name of a cause; did you mean "timeout"?' "$err"
exits 2 rv run --retry-on 75 true
equal stderr 'rv: error: --retry-on needs --retries
hint: add --retries N, or remove --retry-on' "$err"
exits 2 rv up --retries 2
contains stderr '--retries needs a command' "$err"
exits 2 rv up --checkpoint
contains hint "write one (rv run CMD, rv up --run 'CMD'), or remove --checkpoint" "$err"
exits 2 rv run --stall off true
contains stderr 'expected a length of time above 0, or never' "$err"
exits 2 rv up --idle-stop off
contains stderr 'expected a length of time above 0, or never' "$err"

# Options of sbatch that rv has for something else.
exits 2 rv run -n 4 hostname
equal stderr 'rv: error: "4" is not a program; -n is --dry-run
hint: for sbatch'"'"'s -n give --nodes and --procs-per-node' "$err"
exits 2 rv run -e err.txt hostname
contains hint "sbatch's -e is --separate-stderr" "$err"

# Where Slurm is not configured, trying again does not help.
SLURM_CONF=$work/none exits 121 rv gc -n
contains stderr "rv gc removes nothing without Slurm's answer" "$err"
contains hint "set SLURM_CONF to the cluster's slurm.conf" "$err"
SLURM_CONF=$work/none exits 121 rv nodes
contains hint "set SLURM_CONF to the cluster's slurm.conf" "$err"
