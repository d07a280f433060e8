#!/usr/bin/env bash
# While Slurm is slow, rv shows on a terminal what it waits for and writes nothing extra to a pipe. If Slurm never answers, the
# exit code is 121.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
mkdir bin
for name in scontrol squeue sinfo sacctmgr; do
  printf '#!/bin/sh\nsleep 1.5\necho "no controller here" >&2\nexit 1\n' > "bin/$name"
  chmod +x "bin/$name"
done
export PATH=$PWD/bin:$PATH
exits 121 rv cluster
equal stdout '' "$out"
contains stderr 'no controller here' "$err"
! grep -q 'querying' "$work/err" || fail 'a note without a terminal'
runs on_terminal "$RV" cluster
contains stdout 'rv: querying the state of the cluster' "$out"
contains stdout 'no controller here' "$out"
