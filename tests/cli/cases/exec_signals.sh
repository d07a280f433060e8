#!/usr/bin/env bash
# A signal sent to rv exec reaches the command, and so does Ctrl-C on a terminal.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
cat > trapping.sh << 'X'
trap 'echo got INT; exit 9' INT
trap 'echo got TERM; exit 8' TERM
echo ready
while :; do sleep 0.05; done
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
cat > counting.py << 'X'
import os, select, signal, time
# The wake-up pipe gets one byte for each signal that was delivered.
ours, theirs = os.pipe()
os.set_blocking(theirs, False)
signal.set_wakeup_fd(theirs)
signal.signal(signal.SIGINT, lambda *_: None)
print("ready", flush=True)
select.select([ours], [], [], 5)
time.sleep(0.3)
print("interrupts:", len(os.read(ours, 100)), flush=True)
raise SystemExit(9)
X
python3 - "$RV" << 'X' || fail 'Ctrl-C on a terminal did not reach the command exactly once'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ["rv", "exec", "python3", "counting.py"])
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
assert b"interrupts: 1\r" in seen, seen
X
