#!/usr/bin/env bash
# Full disks, folders in place of files and a missing slurm.conf are the system's word, with a way out: no fault of rv's.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
lacks_report() { ! grep -q 'please report' "$scratch/err" || fail 'asks for a report'; }

folder=$RV_HOME/runs/aaaaaa
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
printf '{"version":2,"id":"aaaaaa","name":"ux","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
  "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[]}' >"$folder/run.json"
printf 'outcome 1 0 0 0 done 0 here 1795262500 token - {"detail":""}\n' >"$folder/ledger/1"
# More than a buffer holds, and less.
head -c 300000 /dev/zero | tr '\0' x >"$folder/logs/n1.out"
echo short >"$folder/logs/n1.err"
for words in "logs ux" "logs ux --err" "ps -a --json" "ps -a" "show ux --json" "completion bash" "plan --cluster $cluster --json"; do
  # shellcheck disable=SC2086 # several words
  "$RV" $words >/dev/full 2>"$scratch/err"
  code=$?
  expect_code 125
  err_has "can't write the output: No space left on device"
  lacks_report
done
rv logs ux --err
expect_code 0
expect_out short

RV_SITE=$scratch/work rv ps
expect_code 2
err_has "can't read the settings file $scratch/work: Is a directory"
err_has "RV_SITE names it"
RV_SITE=$scratch/none rv ps
expect_code 2
err_has "can't read the settings file $scratch/none: there is none"
mkdir "$RV_HOME/config.yaml"
rv ps
expect_code 2
err_has "can't read the settings file $RV_HOME/config.yaml: Is a directory"
rmdir "$RV_HOME/config.yaml"
rv plan --cluster "$scratch/work"
expect_code 2
err_has "--cluster: can't read $scratch/work: Is a directory"
rv plan --cluster "$scratch/none"
expect_code 2
err_has "there is no such file"

# Slurm's own commands would try for a minute.
printf '#!/bin/sh\nsleep 60\n' >squeue
chmod +x squeue
cp squeue scontrol
for words in "plan" "cluster" "run true"; do
  SECONDS=0
  # shellcheck disable=SC2086 # several words
  PATH=$PWD:$PATH SLURM_CONF=$scratch/none/slurm.conf rv $words
  expect_code 121
  err_has "Slurm has no slurm.conf: SLURM_CONF names $scratch/none/slurm.conf, which can't be read: No such file or directory"
  [ "$SECONDS" -lt 5 ] || fail "took $SECONDS s"
done
printf '#!/bin/sh\necho "x: error: fetch_config: DNS SRV lookup failed" >&2\necho "x: fatal: Could not establish a configuration source" >&2\nexit 1\n' >scontrol
PATH=$PWD:$PATH SLURM_CONF='' rv cluster
expect_code 121
err_has "Slurm has no slurm.conf: this machine has none where Slurm looks"
