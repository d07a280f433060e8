#!/usr/bin/env bash
# If the link hangs, Ctrl-C ends rv at once, and the signal still reaches the command when the link comes back.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
# Everything goes through a process that can be stopped, which is a link that hangs.
cat >"$work/link.py" <<'PY'
import os, select, socket, sys
with open(sys.argv[2], "w") as note:
    note.write(str(os.getpid()))
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
while True:
    for ready in select.select([0, link], [], [])[0]:
        data = os.read(0, 65536) if ready == 0 else link.recv(65536)
        if not data:
            sys.exit(0)
        link.sendall(data) if ready == 0 else os.write(1, data)
PY
host hung "$(user there)"
echo "  ProxyCommand python3 $work/link.py $port $work/laptop/link" >>"$work/laptop/.ssh/config"
exits 0 rv -H hung exec true
link=$(<"$work/laptop/link")

# Not in shell, which starts what runs in the background with SIGINT ignored.
cat >"$work/interrupt.py" <<'PY'
import os, signal, subprocess, sys, time
link, rv, note = int(sys.argv[1]), sys.argv[2], sys.argv[3]
said = open("said", "w+")  # no pipe: ssh's shared connection holds the other end of it as long as the link hangs
command = subprocess.Popen([rv, "-H", "hung", "exec", "sh", "-c", "echo begun; exec sleep 300"], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=said, text=True)
assert command.stdout.readline() == "begun\n"
if link:
    os.kill(link, signal.SIGSTOP)
if note:
    open(note, "w").close()
begun = time.monotonic()
command.send_signal(signal.SIGINT)
code = command.wait()
seconds = time.monotonic() - begun
said.seek(0)
print(code, round(seconds, 1), said.read().strip(), sep="|")
PY
# interrupted PID [FILE]: PID of the link to stop, or 0; FILE is made just before Ctrl-C.
interrupted() { IFS='|' read -r code seconds said < <(laptop python3 "$work/interrupt.py" "$1" "$work/rv" "${2:-}"); }
sleeping() { pgrep -u "$(user there)" -x sleep >/dev/null; }
not_sleeping() { ! sleeping; }

interrupted 0
equal "code over a good link" 130 "$code"
equal "said over a good link" "" "$said"
wait_for 5 not_sleeping || fail "the command goes on after Ctrl-C"

# The login node refuses the session that brings Ctrl-C, and takes the next one.
mkdir -m 777 "$work/refusals"
cat >"$work/there/.bashrc" <<SH
if [ -e $work/refusals/next ]; then rm $work/refusals/next; exit 3; fi
SH
interrupted 0 "$work/refusals/next"
equal "code after a refused session" 130 "$code"
[ ! -e "$work/refusals/next" ] || fail "no session was refused: this test proves nothing"
wait_for 5 not_sleeping || fail "the command goes on after Ctrl-C and a refused session"
rm "$work/there/.bashrc"

# A login that takes long: Ctrl-C comes before rv is there to get it, and reaches it then.
cat >"$work/there/.bashrc" <<'SH'
mkdir "$HOME/slow" 2>/dev/null && sleep 2
SH
laptop env --default-signal=INT "$work/rv" -H hung exec sleep 300 </dev/null &
early=$!
wait_for 30 test -d "$work/there/slow" || fail "the login is not slow"
kill -INT "$(rv_process)"
ended() { ! pgrep -u "$(user laptop)" -x rv >/dev/null; }
wait_for 20 ended || fail "an early Ctrl-C does not end it"
code=0
wait "$early" || code=$?
equal "code of one interrupted early" 130 "$code"
wait_for 5 not_sleeping || fail "the command goes on after an early Ctrl-C"
rm "$work/there/.bashrc"

# A signal while rv copies itself there.
rm -rf "$work/there/.rv"
cat >"$work/there/.bashrc" <<'SH'
mkdir "$HOME/first" 2>/dev/null || { mkdir "$HOME/second" 2>/dev/null && sleep 3; }
SH
laptop "$work/rv" -H hung exec true </dev/null 2>"$work/copied" &
copying=$!
wait_for 30 test -d "$work/there/second" || fail "nothing is copied: $(<"$work/copied")"
kill -TERM "$(rv_process)"
code=0
wait "$copying" || code=$?
equal "code of one ended while it copies rv" 143 "$code"
contains "what it says" "rv was not copied to hung: interrupted" "$(<"$work/copied")"
rm "$work/there/.bashrc"
exits 0 rv -H hung exec true

# ends_within SECONDS: Ctrl-C while the link hangs.
ends_within() {
  interrupted "$link"
  equal "code over a hung link" 130 "$code"
  python3 -c "import sys; sys.exit(0 if $seconds < $1 else 1)" || fail "Ctrl-C took $seconds s"
  contains "what it says" "hung does not answer" "$said"
  sleeping || fail "the signal got through a link that hangs"
  kill -CONT "$link"
  wait_for 10 not_sleeping || fail "the signal did not get there afterwards"
}
ends_within 3
# Where nothing is known of the connection, ssh itself carries the signal, and can't be asked whether it gets there.
rm "/tmp/rv-$(id -u "$(user laptop)")"/*.settings
ends_within 5
