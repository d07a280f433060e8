#!/usr/bin/env bash
# What rv says after a lost connection is what has become of the run: with an open shell its GPUs are held, an rv up that still
# waits on a terminal is cancelled, and without a terminal it is not.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
exits 0 rv -H loop exec true
# On a terminal, whose output is shown at the end. A file appears when a text has been printed.
cat >"$work/terminal.py" <<'PY'
import os, pty, select, sys
until, note, command = sys.argv[1].encode(), sys.argv[2], sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(command[0], command)
seen = b""
while True:
    assert select.select([fd], [], [], 60)[0], seen
    try: got = os.read(fd, 65536)
    except OSError: break
    if not got: break
    seen += got
    if until in seen: open(note, "w").close()
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
install -d -o "$(user laptop)" "$work/notes"
cut_off() { laptop pkill -KILL -u "$(user laptop)" -x ssh; }
# loses TEXT ADVICE ARGUMENTS…: rv on a terminal, whose connection is lost when the text has come.
loses() {
  local text=$1 advice=$2 client code=0
  shift 2
  rm -f "$work/notes/came"
  in_background laptop python3 "$work/terminal.py" "$text" "$work/notes/came" "$work/rv" -H loop "$@"
  client=$!
  wait_for 30 test -e "$work/notes/came" || fail "$*: \"$text\" does not come: $(<"$work/err")"
  wait_for 30 cut_off || fail "no ssh to kill"
  wait "$client" || code=$?
  equal "exit code of $*" 119 "$code"
  contains "$*" "$advice" "$(tr -d '\r\n' <"$work/out")"
}
is() { rv -H loop show "$1" --json 2>/dev/null | grep -q "\"state\": \"$2\""; }

loses "time limit ends this shell" "rv -H loop shell enters GPUs that you had" up -g 1 --time 10m --name held
wait_for 20 is held holding || fail "the GPUs are not held: $(rv -H loop show held)"
loses "time limit ends this shell" "the run continues: rv -H loop shell enters it again" shell held
loses "time limit ends this shell" "the run continues: rv -H loop ssh enters it again" ssh held
is held holding || fail "the run does not continue: $(rv -H loop show held)"
loses "waiting for another job" "a run that still waited was cancelled if rv had a terminal: rv -H loop ps" \
  up -g 1 --time 10m --name waits --after held
wait_for 20 is waits stopped || fail "a waiting rv up is not cancelled: $(rv -H loop show waits)"

in_background rv -H loop up -g 1 --time 10m --name stays --after held
client=$!
wait_for 30 is stays queued || fail "not queued: $(<"$work/err")"
wait_for 30 cut_off || fail "no ssh to kill"
code=0
wait "$client" || code=$?
equal "exit code without a terminal" 119 "$code"
sleep 2 # a wrong cancellation would have come by then
is stays queued || fail "without a terminal it is cancelled: $(rv -H loop show stays)"

# What only reads is called again.
in_background rv -H loop wait held
client=$!
wait_for 30 in_session || fail "rv wait does not begin"
sleep 1
wait_for 30 cut_off || fail "no ssh to kill"
code=0
wait "$client" || code=$?
equal "exit code of rv wait" 119 "$code"
contains "rv wait" "run the command again" "$(<"$work/err")"
