#!/usr/bin/env bash
# The terminal type, window size and signals of the laptop are passed on to the login node.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
host loop "$(user there)"
exits 0 rv -H loop exec true

cat >"$work/window.py" <<'PY'
import fcntl, os, pty, select, signal, struct, sys, termios, time
def size(fd, rows, columns): fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
pid, fd = pty.fork()
if pid == 0:
    time.sleep(0.2)
    os.execvp(sys.argv[1], sys.argv[1:])
size(fd, 31, 123)
seen = b""
def until(part):
    global seen
    while part not in seen:
        assert select.select([fd], [], [], 20)[0], seen
        try: got = os.read(fd, 4096)
        except OSError: break
        if not got: break
        seen += got
    assert part in seen, seen
until(b"31 123")
size(fd, 17, 55)
until(b"17 55")
os.write(fd, b"\x03")
until(b"interrupted")
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
assert code == 42, code
assert b"\x01rv" not in seen, seen
PY
# shellcheck disable=SC2016
laptop python3 "$work/window.py" "$work/rv" -H loop exec bash -c \
  'trap "echo interrupted; exit 42" INT; trap "stty size" WINCH; stty size; while :; do sleep 0.1; done'

# Without a terminal a signal to rv goes to the command there, and the command decides.
for signal in INT TERM HUP QUIT; do
  # shellcheck disable=SC2016
  rv -H loop exec bash -c 'trap "echo got $0; exit 5" '"$signal"'; echo ready; while :; do sleep 0.1; done' "$signal" \
    >"$work/signalled.$signal" 2>&1 &
  wait_for 30 grep -qs ready "$work/signalled.$signal" || fail "the command does not start: $(<"$work/signalled.$signal")"
  client=$(rv_process)
  kill -"$signal" "$client"
  code=0
  wait $! || code=$?
  equal "code after $signal" 5 "$code"
  contains "the command there" "got $signal" "$(<"$work/signalled.$signal")"
done

# --timeout ends the whole tree on the login node, processes that left their group included.
exits 124 rv -H loop exec --timeout 1s bash -c 'setsid sleep 77 & sleep 77'
gone_all() { ! pgrep -u "$(user there)" -x sleep >/dev/null; }
wait_for 5 gone_all || fail "processes are left on the login node"
