#!/usr/bin/env bash
# Colour and the arrow only where they can be shown.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
on_terminal() {
  python3 - "$@" << 'X'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
os.waitpid(pid, 0)
sys.stdout.buffer.write(seen)
X
}
export TERM=xterm
escape=$(printf '\033')
on_terminal "$RV" plan --cluster "$cluster" > "$scratch/out"
out_has "${escape}[1m"
NO_COLOR=1 on_terminal "$RV" plan --cluster "$cluster" > "$scratch/out"
out_lacks "$escape"
TERM=dumb on_terminal "$RV" plan --cluster "$cluster" > "$scratch/out"
out_lacks "$escape"
rv plan --cluster "$cluster"
out_lacks "$escape"
on_terminal "$RV" upp > "$scratch/out"
out_has '  → see rv --help'
LC_ALL=C on_terminal "$RV" upp > "$scratch/out"
out_has 'hint: see rv --help'
