#!/usr/bin/env bash
# rv top on the login node draws on the laptop's terminal: it follows its size, reads keys, and restores the screen.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
host loop "$(user there)"
exits 0 rv -H loop exec true

cat >"$work/window.py" <<'PY'
import fcntl, os, pty, select, struct, sys, termios, time
def size(fd, rows, columns): fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
pid, fd = pty.fork()
if pid == 0:
    time.sleep(0.2)
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[1], sys.argv[1:])
size(fd, 20, 60)
seen = b""
def until(part):
    global seen
    while part not in seen:
        assert select.select([fd], [], [], 30)[0], (part, seen)
        try: got = os.read(fd, 4096)
        except OSError: break
        if not got: break
        seen += got
    assert part in seen, (part, seen)
until(b"Slurm does not answer")
until(b"\x1b[20;1H")
assert b"\x1b[21;1H" not in seen, seen
size(fd, 33, 90)
until(b"\x1b[33;1H")
os.write(fd, b"?")
until(b"any key goes back")
os.write(fd, b" q")
until(b"\x1b[?1049l")
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
assert code == 0, code
PY
laptop python3 "$work/window.py" "$work/rv" -H loop top
exits 2 rv -H loop top
contains "without a terminal" "rv top --once prints one screen" "$err"
