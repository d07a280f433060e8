#!/usr/bin/env bash
# The laptop sleeps while it follows a run: its processes stop, the connection is dropped silently, and there is no network just
# after waking. Every line and the exit code arrive, the run happens once, and the next command works.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
# All connections go through processes that can be stopped or killed; where the file no_network exists, new ones fail.
cat >"$work/link.py" <<'PY'
import os, select, socket, sys
if os.path.exists(sys.argv[2]):
    sys.exit("no network")
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
while True:
    for ready in select.select([0, link], [], [])[0]:
        data = os.read(0, 65536) if ready == 0 else link.recv(65536)
        if not data:
            sys.exit(0)
        link.sendall(data) if ready == 0 else os.write(1, data)
PY
chmod 644 "$work/link.py"
echo "  ProxyCommand python3 $work/link.py $port $work/no_network" >>"$work/laptop/.ssh/config"
# rv's keepalives give a silent connection up after a minute. ssh goes by the first value of an option.
rm "$work/tools/ssh"
cat >"$work/tools/ssh" <<'SH'
#!/bin/sh
exec /usr/bin/ssh -o ServerAliveInterval=3 -o ServerAliveCountMax=3 "$@"
SH
chmod 755 "$work/tools/ssh"
exits 0 rv -H loop exec true

laptop_id=$(id -u "$(user laptop)")
links() { pgrep -u "$laptop_id" -f link.py; }
sleeps() { pkill -STOP -u "$laptop_id"; }
# The connection is gone, and the network comes back after the laptop.
wakes() {
  touch "$work/no_network"
  links | xargs -r kill -KILL
  pkill -CONT -u "$laptop_id"
  sleep 3 # awake without a network
  rm "$work/no_network"
}
follow() { # NAME COMMAND…
  local code=0
  laptop "$work/rv" -H loop run -f -g 1 --time 5m --name "$@" >"$work/followed.out" 2>"$work/followed.err" </dev/null || code=$?
  echo "$code" >"$work/followed.code"
}
has() { [ "$(wc -l <"$work/followed.out")" -ge "$1" ]; }
ended() { [ -s "$work/followed.code" ]; }
begin() { rm -f "$work/followed.code" && : >"$work/followed.out"; }
mkdir "$work/project"
executions() { wc -l <"$work/project/$1.ran"; }
state() { ps -o pid,stat,etimes,args -u "$laptop_id"; }

# Asleep from the middle of the run until its job is over.
begin
follow long bash -c "echo x >>$work/project/long.ran; for i in {1..200}; do echo line \$i; sleep 0.03; done; exit 7" &
wait_for 40 has 20 || fail "no lines: $(<"$work/followed.err")"
sleeps
wait_for 60 no_jobs || fail "the job does not end"
wakes
wait_for 60 ended || fail "the follower does not come back: $(<"$work/followed.err") $(state)"
wait
equal "exit code" 7 "$(<"$work/followed.code")"
equal "lines" "$(seq -f 'line %g' 200)" "$(<"$work/followed.out")"
equal "executions" 1 "$(executions long)"

# The laptop is awake again, and its connections lead into a network that is not there any more: keepalives end them.
begin
follow later bash -c "echo x >>$work/project/later.ran; echo begun; sleep 5; echo ended" &
wait_for 40 has 1 || fail "no lines: $(<"$work/followed.err")"
sleeps
links >"$work/hanging"
pgrep -u "$laptop_id" | grep -vxF -f "$work/hanging" | xargs kill -CONT
wait_for 90 ended || fail "a hanging connection is not given up: $(<"$work/followed.err") $(state)"
xargs -r kill -KILL <"$work/hanging" 2>/dev/null || true
wait
equal "exit code over a connection that hangs" 0 "$(<"$work/followed.code")"
equal "its lines" "begun ended" "$(xargs <"$work/followed.out")"
equal "its executions" 1 "$(executions later)"
exits 0 rv -H loop show later
contains "afterwards" "done" "$out"

# Asleep at different moments of the submission.
for pause in 0.4 1.2; do
  begin
  follow "early$pause" bash -c "echo x >>$work/project/early$pause.ran; echo done" &
  sleep "$pause"
  sleeps
  sleep 5 # asleep for longer than the keepalive interval above
  wakes
  wait_for 60 ended || fail "$pause: the follower does not come back: $(<"$work/followed.err") $(state)"
  wait
  equal "$pause: exit code" 0 "$(<"$work/followed.code")"
  equal "$pause: lines" "done" "$(<"$work/followed.out")"
  equal "$pause: executions" 1 "$(executions "early$pause")"
done
