#!/usr/bin/env bash
# A run is followed over ssh while the connection is killed repeatedly: each line arrives once and in order, the run happens
# once, a second laptop and the login node see it, and times are the cluster's.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
exits 0 rv -H loop exec true
[ -z "$(laptop bash -c 'command -v squeue')" ] || fail "the laptop has Slurm"

exits 0 rv -H loop cluster --json
says "the cluster" 'd["nodes"]' "$work/out"

mkdir "$work/project"
# Lines on both streams until the test has killed the connection often enough.
cat >"$work/project/count.sh" <<'S'
echo ran >>"$0.ran"
n=0
until [ -e "$0.enough" ]; do
  n=$((n + 1))
  echo "out $n"
  echo "err $n" >&2
  sleep 0.02
done
echo "$n" >"$0.lines"
exit 7
S
follow() {
  local code=0
  laptop "$work/rv" -H loop run -f -g 1 --time 5m --name count bash "$work/project/count.sh" \
    >"$work/followed.out" 2>"$work/followed.err" </dev/null || code=$?
  echo "$code" >"$work/followed.code"
}
: >"$work/followed.out"
follow &
cut_off() { laptop pkill -KILL -u "$(user laptop)" -x ssh; }
has() { [ "$(wc -l <"$work/followed.out")" -ge "$1" ]; }
for lines in 1 40 90; do
  wait_for 30 has "$lines" || fail "no $lines lines: $(<"$work/followed.err")"
  wait_for 30 cut_off || fail "no ssh to kill"
done
touch "$work/project/count.sh.enough"
wait
lines=$(<"$work/project/count.sh.lines")
equal "exit code" 7 "$(<"$work/followed.code")"
equal "lines of stdout" "$(seq -f 'out %g' "$lines")" "$(<"$work/followed.out")"
equal "lines of stderr" "$(seq -f 'err %g' "$lines")" "$(grep '^err' "$work/followed.err")"
contains "said so" "the connection to loop is lost" "$(<"$work/followed.err")"
equal "executions" 1 "$(wc -l <"$work/project/count.sh.ran")"

# The login node itself, and another laptop, see the same run.
id=$(slurm env RV_HOME="$work/home" "$work/rv" ps -a --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["runs"][0]["id"])')
exits 0 rv -H loop logs "$id"
equal "logs later" "$(seq -f 'out %g' "$lines")" "$out"
exits 0 rv -H loop show count
contains show "$id" "$out"

# The connection breaks before the run has an ID: the run is made once, and followed.
rm "$work/project/count.sh.ran" "$work/project/count.sh.enough"
wait_for 20 no_session || fail "an earlier session has not ended"
(sleep 3 && touch "$work/project/count.sh.enough") &
: >"$work/followed.out"
follow &
session() { in_session && laptop pkill -KILL -u "$(user laptop)" -x ssh; }
wait_for 20 session || fail "no session: $(<"$work/followed.err")"
wait
[ "$(<"$work/followed.code")" = 7 ] || fail "exit code, broken at once: $(<"$work/followed.code"): $(<"$work/followed.err")"
equal "lines, broken at once" "$(seq -f 'out %g' "$(<"$work/project/count.sh.lines")")" "$(<"$work/followed.out")"
equal "executions, broken at once" 1 "$(wc -l <"$work/project/count.sh.ran")"

# Ctrl-C after a lost connection reaches the rv that still runs there.
rm "$work/project/count.sh.enough"
: >"$work/followed.out"
follow &
wait_for 30 has 5 || fail "no lines: $(<"$work/followed.err")"
wait_for 30 cut_off || fail "no ssh to kill"
more=$(($(wc -l <"$work/followed.out") + 20))
wait_for 30 has "$more" || fail "it does not go on: $(<"$work/followed.err")"
kill -INT "$(rv_process)"
wait
equal "exit code, interrupted" 130 "$(<"$work/followed.code")"
contains "its last word" "continues; rv logs -f" "$(<"$work/followed.err")"
touch "$work/project/count.sh.enough"

# Ctrl-C ends the following of a flood soon, read slowly or not at all; the run continues.
cat >"$work/slow.py" <<'PY'
import sys, time
while part := sys.stdin.buffer.read1(65536):
    sys.stdout.buffer.write(part)
    time.sleep(0.02)
PY
exits 0 rv -H loop run -g 1 --time 20m --name flood bash -c 'yes "a line of output" | head -c 300000000; sleep 900'
larger() { [ "$(stat -c %s "$1")" -gt "$2" ]; }
mkfifo "$work/pipe"
# interrupted WHAT: Ctrl-C ends the laptop's rv within about a second. A new connection is not part of it.
interrupted() {
  local code=0 begun took
  begun=$(date +%s%N)
  kill -INT "$(rv_process)"
  ended() { ! pgrep -u "$(user laptop)" -x rv >/dev/null; }
  wait_for 20 ended || fail "$1: Ctrl-C does not end it: $(ps -L -o pid,tid,stat,wchan:24,args -u "$(user laptop)")"
  wait "$2" || code=$?
  took=$((($(date +%s%N) - begun) / 1000000))
  echo "$1: ended $took ms after Ctrl-C"
  equal "$1: exit code" 130 "$code"
  [ "$took" -lt "$(patience 2000)" ] || fail "$1: ends $took ms after Ctrl-C"
}
: >"$work/read"
python3 "$work/slow.py" <"$work/pipe" >"$work/read" &
rv -H loop logs -f flood >"$work/pipe" 2>/dev/null &
client=$!
wait_for 20 larger "$work/read" 1000000 || fail "no output"
interrupted "read slowly" "$client"
exec 9<>"$work/pipe"
rv -H loop logs -f flood >"$work/pipe" 2>&1 &
client=$!
sleep 3 # the pipe is full by then
interrupted "not read" "$client"
# Before the login node's rv is there to be notified, too.
for pause in 0.005 0.02 0.04 0.07 0.1 0.15; do
  # A shell starts what runs in the background with SIGINT ignored, which counts until rv looks at its signals.
  laptop env --default-signal=INT "$work/rv" -H loop logs -f flood >"$work/pipe" 2>&1 &
  client=$!
  wait_for 20 pgrep -u "$(user laptop)" -x rv >/dev/null || fail "no rv"
  sleep "$pause"
  interrupted "after $pause s" "$client"
done
exec 9>&-
contains "goes on" " running " "$(rv -H loop ps)"
exits 0 rv -H loop stop flood
