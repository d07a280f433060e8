# Sourced by every case: a private home, and ways to say what is expected. The first failure ends the case.
# shellcheck shell=bash
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${RV:?RV must name the rv binary to test}"
RV=$(realpath "$RV")
cluster=$here/data/small.cluster.json
root=$(cd "$here/../.." && pwd)
export cluster root
work=$(mktemp -d)
scratch=$work
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch/home RV_HOME=$scratch/rv RV_SITE=$scratch/site.yaml
unset SCRATCH COLUMNS NO_COLOR
export LC_ALL=C.UTF-8
mkdir -p "$HOME" "$RV_HOME" "$scratch/work"
: > "$RV_SITE"
cd "$scratch/work" || exit 1

# shellcheck source=tests/assertions.sh
. "$here/../assertions.sh"

# rv WORDS…: runs the binary; $code, $scratch/out and $scratch/err hold what came of it.
rv() {
  "$RV" "$@" > "$scratch/out" 2> "$scratch/err"
  code=$?
}

# on_terminal WORDS…: the command on a terminal of its own; what it shows there.
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

expect_code() { [ "$code" = "$1" ] || fail "exit code $code, expected $1"; }
expect_out() { [ "$(cat "$scratch/out")" = "$1" ] || fail "stdout is not: $1"; }
expect_err() { [ "$(cat "$scratch/err")" = "$1" ] || fail "stderr is not: $1"; }
out_has() { grep -qF -e "$1" "$scratch/out" || fail "stdout lacks: $1"; }
err_has() { grep -qF -e "$1" "$scratch/err" || fail "stderr lacks: $1"; }
out_lacks() { ! grep -qF -e "$1" "$scratch/out" || fail "stdout has: $1"; }
no_err() { [ ! -s "$scratch/err" ] || fail "stderr is not empty"; }
# json FILE EXPRESSION: a Python expression over the document d must be true.
json() { says "$(basename "$1")" "$2" "$1"; }
