#!/usr/bin/env bash
# SIGHUP, SIGQUIT, SIGTERM and SIGINT, and a closed terminal, end the following of a run over ssh, as they end any program. The run
# continues, and nothing of the command is left on the login node.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
exits 0 rv -H loop exec true
# The same process becomes rv, so $! is the one to signal. A shell starts what runs in the background with two signals ignored.
# shellcheck disable=SC2016
cat >"$work/begin.py" <<'PY'
import os, signal, sys
for name in ("SIGINT", "SIGQUIT"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
with open(sys.argv[1], "w") as note:
    note.write(str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
PY
install -d -o "$(user laptop)" "$work/notes"
job() { printf 'touch %s; until [ -e %s ]; do echo line; sleep 0.1; done' "$work/ran.$1" "$work/go"; }
runs_still() { contains "the run after $2" '"state": "running"' "$(rv -H loop show "$1" --json)"; }

for pair in HUP:129 QUIT:131 TERM:143 INT:130; do
  name=${pair%:*}
  in_background laptop python3 "$work/begin.py" "$work/notes/$name" "$work/rv" -H loop run -f -g 1 --time 5m --name "s$name" \
    bash -c "$(job "$name")"
  client=$!
  wait_for 30 grep -q line "$work/out" || fail "$name: no output: $(<"$work/err")"
  kill "-$name" "$(<"$work/notes/$name")"
  wait_for 10 gone "$client" || fail "$name does not end it: $(<"$work/err")"
  code=0
  wait "$client" || code=$?
  equal "exit code after $name" "${pair#*:}" "$code"
  lacks "$name" "connection" "$(<"$work/err")"
  wait_for 10 no_session || fail "$name: rv is left on the login node"
  runs_still "s$name" "$name"
done

# A run that waits stays in the queue.
in_background laptop python3 "$work/begin.py" "$work/notes/waits" "$work/rv" -H loop run -f -g 1 --time 5m --name waits \
  --after sHUP true
client=$!
queued() { rv -H loop show waits --json 2>/dev/null | grep -q '"state": "queued"'; }
wait_for 30 queued || fail "it is not queued: $(<"$work/err")"
kill -HUP "$(<"$work/notes/waits")"
code=0
wait "$client" || code=$?
equal "exit code of one that waits" 129 "$code"
queued || fail "SIGHUP takes it from the queue: $(rv -H loop show waits)"

# The terminal of a followed run is closed.
cat >"$work/close.py" <<'PY'
import os, pty, select, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while b"line" not in seen:
    assert select.select([fd], [], [], 30)[0], seen
    seen += os.read(fd, 4096)
os.close(fd)
until = time.monotonic() + 30
while time.monotonic() < until:
    ended, status = os.waitpid(pid, os.WNOHANG)
    if ended:
        sys.exit(0 if os.waitstatus_to_exitcode(status) in (129, -1) else f"ended with status {status}")
    time.sleep(0.05)
sys.exit("rv continues without its terminal")
PY
exits 0 laptop python3 "$work/close.py" "$work/rv" -H loop run -f -g 1 --time 5m --name closed bash -c "$(job closed)"
runs_still closed "its terminal was closed"
wait_for 10 no_session || fail "a closed terminal: rv is left on the login node"
touch "$work/go"
