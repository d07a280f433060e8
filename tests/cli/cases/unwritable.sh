#!/usr/bin/env bash
# A full disk, a folder in place of a file and a missing slurm.conf are reported with the system's reason and advice, not as a
# crash of rv.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
lacks_report() { ! grep -q 'please report' "$work/err" || fail 'asks for a report'; }

folder=$RV_HOME/runs/aaaaaa
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
printf '{"version":2,"id":"aaaaaa","name":"ux","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
  "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[]}' >"$folder/run.json"
printf 'outcome 1 0 0 0 done 0 here 1795262500 token - {"detail":""}\n' >"$folder/ledger/1"
# More than a buffer holds, and less.
head -c 300000 /dev/zero | tr '\0' x >"$folder/logs/n1.out"
echo short >"$folder/logs/n1.err"
for words in "logs ux" "logs ux --err" "ps -a --json" "ps -a" "show ux --json" "completion bash" "plan --cluster $cluster --json"; do
  # shellcheck disable=SC2086 # several arguments
  "$RV" $words >/dev/full 2>"$work/err"
  code=$?
  err=$(<"$work/err")
  equal "exit code" 125 "$code"
  contains stderr "can't write the output: No space left on device" "$err"
  lacks_report
done
exits 0 rv logs ux --err
equal stdout short "$out"

RV_SITE=$work/work exits 2 rv ps
contains stderr "can't read the settings file $work/work: Is a directory" "$err"
contains stderr "RV_SITE names it" "$err"
RV_SITE=$work/none exits 2 rv ps
contains stderr "the settings file $work/none does not exist" "$err"
mkdir "$RV_HOME/config.yaml"
exits 2 rv ps
contains stderr "can't read the settings file $RV_HOME/config.yaml: Is a directory" "$err"
rmdir "$RV_HOME/config.yaml"
exits 2 rv plan --cluster "$work/work"
contains stderr "--cluster: can't read $work/work: Is a directory" "$err"
exits 2 rv plan --cluster "$work/none"
contains stderr "expected an existing file" "$err"

# Slurm's own commands would try for a minute.
printf '#!/bin/sh\nsleep 60\n' >squeue
chmod +x squeue
cp squeue scontrol
for words in "plan" "cluster" "run true"; do
  SECONDS=0
  # shellcheck disable=SC2086 # several arguments
  PATH=$PWD:$PATH SLURM_CONF=$work/none/slurm.conf exits 121 rv $words
  contains stderr "Slurm has no configuration file: SLURM_CONF names $work/none/slurm.conf, which can't be read: No such file or directory" "$err"
  [ "$SECONDS" -lt 5 ] || fail "took $SECONDS s"
done
printf '#!/bin/sh\necho "x: error: fetch_config: DNS SRV lookup failed" >&2\necho "x: fatal: Could not establish a configuration source" >&2\nexit 1\n' >scontrol
PATH=$PWD:$PATH SLURM_CONF='' exits 121 rv cluster
contains stderr "Slurm has no configuration file: this machine has none in Slurm's default place" "$err"
