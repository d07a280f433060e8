#!/usr/bin/env bash
# A signal for rv reaches the command; a Ctrl-C on a terminal too.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
cat > trapping.sh << 'X'
trap 'echo got INT; exit 9' INT
trap 'echo got TERM; exit 8' TERM
echo ready
for _ in $(seq 200); do sleep 0.05; done
X
for pair in TERM:8 INT:9; do
  # A shell starts its background commands with SIGINT ignored; python gives it back.
  python3 - "$RV" "${pair%:*}" "${pair#*:}" << 'X' || fail "SIG${pair%:*} did not reach the command"
import signal, subprocess, sys
rv, name, expected = sys.argv[1:]
child = subprocess.Popen([rv, "exec", "bash", "trapping.sh"], stdout=subprocess.PIPE, text=True,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
assert child.stdout.readline() == "ready\n"
child.send_signal(getattr(signal, "SIG" + name))
rest = child.stdout.read()
assert rest == f"got {name}\n", rest
assert child.wait() == int(expected), child.returncode
X
done
python3 - "$RV" << 'X' || fail 'Ctrl-C on a terminal did not reach the command exactly once'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ["rv", "exec", "bash", "trapping.sh"])
seen = b""
sent = False
while True:
    try:
        data = os.read(terminal, 1000)
    except OSError:
        break
    if not data:
        break
    seen += data
    if b"ready" in seen and not sent:
        os.write(terminal, b"\x03")
        sent = True
_, status = os.waitpid(pid, 0)
assert os.waitstatus_to_exitcode(status) == 9, (status, seen)
assert seen.count(b"got INT") == 1, seen
X
