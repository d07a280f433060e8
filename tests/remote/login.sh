#!/usr/bin/env bash
# One login serves all commands: a second factor is requested once and only on a terminal, a banner is shown once, and where a
# site allows one session per connection, commands wait for each other.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

printf 'Authorised use only.\n' >"$work/banner"
start_sshd "UsePAM yes" "KbdInteractiveAuthentication yes" "AuthenticationMethods publickey,keyboard-interactive" \
  "MaxSessions 1" "Banner $work/banner"
sed -i '/^UsePAM no/d' "$work/sshd/config"
stop_sshd
/usr/sbin/sshd -f "$work/sshd/config" -E "$work/sshd/log"
wait_for 30 test -s "$work/sshd/pid" || fail "sshd does not start: $(<"$work/sshd/log")"
make_laptop
make_user there /bin/bash
host loop "$(user there)"

exits 119 rv -H loop exec true
contains "without a terminal" "loop refused the login" "$err"

# In a terminal: the password is typed when it is asked for.
cat >"$work/typist.py" <<'PY'
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
seen, asked = b"", 0
while select.select([fd], [], [], 30)[0]:
    try: got = os.read(fd, 4096)
    except OSError: break
    if not got: break
    seen += got
    if seen.count(b"assword: ") > asked:
        asked += 1
        os.write(fd, b"let-me-in\n")
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(f"asked {asked} code {code}")
sys.stdout.buffer.write(seen)
PY
laptop python3 "$work/typist.py" "$work/rv" -H loop exec sh -c 'test -t 0 && stty size && exit 9' >"$work/typed"
contains "the login" "asked 1 code 9" "$(<"$work/typed")"
contains "the banner" "Authorised use only." "$(<"$work/typed")"
contains "a terminal there" "0 0" "$(<"$work/typed")"

exits 0 rv -H loop exec echo again
equal "the second command" again "$out"
equal "no banner" "" "$err"

# Four at once over a connection that carries one session at a time.
for n in 1 2 3 4; do rv -H loop exec sh -c "sleep 0.3; echo $n" >"$work/n$n" 2>"$work/e$n" & done
wait
for n in 1 2 3 4; do equal "command $n of four at once" "$n" "$(<"$work/n$n")"; done
