#!/usr/bin/env bash
# rv run --in refuses what needs a job of its own, in two lines, and makes no run.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
refuses() { # MESSAGE CODE WORDS…
  local message=$1 code=$2
  shift 2
  exits "$code" rv run "$@"
  contains "$*" "$message" "$err"
  [ "$(wc -l < "$work/err")" -eq 2 ] || fail "$*: not two lines: $err"
  [ ! -e "$RV_HOME/runs" ] || fail "$*: a run was made"
}

refuses '--overlap needs --in' 2 --overlap true
refuses '--exact needs --in' 2 --exact true
for option in '--time 1h' '--partition gpu' '-t a40' '--nodes 2' '--procs-per-node 2' '--array 0-3' '--after x' '--checkpoint' \
  '--retries 2' '--requeue' '--mem 4G' '--dry-run' '--fanout 2' '--container x.sif' '--output out' '--stall 5m' \
  '--sbatch comment=x' '--mig' '--account a'; do
  # shellcheck disable=SC2086 # an option and its value
  refuses "and --in can't be combined: run box has its job already" 2 --in box $option true
done
contains "the advice" "hint: remove --account, or remove --in" "$err"
refuses '--time and --in' 2 --in box --time 1h true
contains "the advice" "rv run --in box timeout 10m CMD" "$err"
refuses 'no run has the ID or name "box"' 122 --in box true
refuses 'no run has the ID or name "box"' 122 --in box -g 2 -c 3 --overlap --exact --name x -e A=1 --interpreter python3 true
refuses '--in "": expected a value' 2 --in '' true
printf '#!/bin/bash\n#SBATCH --time=10\ntrue\n' > job.sbatch
refuses '#SBATCH lines and --in' 2 --in box job.sbatch
