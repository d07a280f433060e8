#!/usr/bin/env bash
# When Slurm is slow, a terminal's user is told so; a pipe gets no extra bytes. A silent Slurm is exit code 121.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
mkdir bin
for name in scontrol squeue sinfo sacctmgr; do
  printf '#!/bin/sh\nsleep 1.5\necho "no controller here" >&2\nexit 1\n' > "bin/$name"
  chmod +x "bin/$name"
done
export PATH=$PWD/bin:$PATH
rv cluster
expect_code 121
expect_out ''
err_has 'no controller here'
! grep -q 'asking Slurm' "$scratch/err" || fail 'a note without a terminal'
python3 - "$RV" > "$scratch/out" << 'X'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ["rv", "cluster"])
seen = b""
while True:
    try:
        data = os.read(terminal, 1000)
    except OSError:
        break
    if not data:
        break
    seen += data
os.waitpid(pid, 0)
sys.stdout.buffer.write(seen)
X
out_has 'rv: asking Slurm about the cluster'
out_has 'no controller here'
