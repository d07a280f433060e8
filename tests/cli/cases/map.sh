#!/usr/bin/env bash
# rv map refuses tasks that it can't run, with the line and the way out, and submits nothing; --dry-run shows the plan.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
refuses() {
  local message=$1
  shift
  exits 2 "$@"
  contains "$*" "$message" "$err"
  [ "$(wc -l < "$work/err")" -eq 2 ] || fail "$*: not two lines: $err"
  [ ! -e "$RV_HOME/runs" ] || fail "$*: a run was made"
}
map() { with_input /dev/null rv map "$@"; }

refuses 'needs a command' map
refuses 'needs a command' map -g 1 ::: a
refuses 'no tasks after :::' map -- echo {} :::
refuses 'stdin has no tasks' map -- echo {}
refuses 'nofile: No such file' map -a nofile -- echo
refuses 'Is a directory' map -a . -- echo
printf '\n\n' > blank
refuses 'blank has no tasks' map -a blank -- echo
printf 'a\nb\0c\n' > nul
refuses 'nul: line 2 has a NUL byte' map -a nul -- echo
head -c 1048577 /dev/zero | tr '\0' x > long
refuses 'long: line 1 is longer than 1 MiB' map -a long -- echo
head -c 200000 long > argument
refuses 'argument of 200000 bytes' map -a argument -- echo
printf '{"lr": 1}\n{"lr": \n' > broken
refuses 'broken: line 2 is not a JSON object' map -a broken -- fit '{lr}'
refuses 'stdin: line 2 is not a JSON object' with_input broken rv map -- fit '{lr}'
refuses 'line 1 has no member "seed"' map -a broken -- fit '{seed}'
refuses 'not a JSON object, and the command has {x}' map -- echo '{x}' ::: a
refuses 'is a shell command' map -- 'echo {}' ::: a
refuses 'can'\''t be combined' map -a blank -- echo ::: a
refuses '--per-gpu "0"' map --per-gpu 0 -- echo ::: a
refuses '--gpus-per-task' map --per-gpu 2 --gpus-per-task 2 -- echo ::: a
refuses '2 GPUs are requested' map -g 2 --gpus-per-task 3 -- echo ::: a
refuses 'needs GPUs' map -g 0 --per-gpu 2 -- echo ::: a
refuses 'needs --gpu 0' map -g 1 -c 2 -- echo ::: a
refuses 'a node has 2 CPUs' map -g 0 --cpus 2 -c 3 -- echo ::: a
refuses 'does not support --checkpoint' map --checkpoint --time 9h --segment-time 1h -- echo ::: a
for option in --segment-time=1h --time-min=1h --warn=5m --signal=USR1 --max-crashes=2 --checkpoint-from=x; do
  refuses "does not support ${option%=*}" map "$option" -- echo ::: a
done
exits 0 map --help
lacks 'options that are refused' '--checkpoint' "$out"
refuses 'does not support --retry-on' map --retries 1 --retry-on 3 -- echo ::: a
refuses 'does not support --procs-per-node' map --procs-per-node 2 -- echo ::: a
refuses 'unknown option "--array"' map --array 0-3 -- echo ::: a
refuses 'unknown option "--allocations"' map --allocations 2 -- echo ::: a
refuses '--failed needs --resume' map --failed -- echo ::: a
exits 122 map --resume nothing
exits 122 map --results nothing

exits 0 map --cluster "$cluster" --dry-run -g 4 --per-gpu 2 --time 1h -- echo {} ::: a b
contains 'the plan' '4×' "$out"
exits 0 map --cluster "$cluster" --dry-run -g 4 --gpus-per-task 2 --json -- echo {} ::: a b
[ ! -e "$RV_HOME/runs" ] || fail 'a dry run made a run'
