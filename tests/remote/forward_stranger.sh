#!/usr/bin/env bash
# A forward reaches only the run's own ports (of all elements of an array): a port of another user or of another job on the same
# node receives nothing, whether it was open before or later.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
make_user stranger /bin/bash
exits 0 rv -H loop exec true

# serve.py ADDRESS PORT LOG [OPEN]: answers every line with its own number; notes who comes and what they say. Ends when
# OPEN, if it is given, no longer exists.
cat >"$work/serve.py" <<'PY'
import os, socket, sys, threading
address, port, log = sys.argv[1], int(sys.argv[2]), sys.argv[3]
server = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind((address, port))
server.listen(64)
def note(text):
    with open(log, "a") as file: file.write(text + "\n")
def answer(peer):
    note("connected")
    for line in peer.makefile():
        note("got " + line.strip())
        peer.sendall(f"{os.environ.get('RV_ARRAY_INDEX', '')}{os.getuid()}@{address}\n".encode())
while True: threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()
PY
# What a notebook's page would send.
cat >"$work/say.py" <<'PY'
import socket, sys
try:
    peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)
    peer.sendall(b"token=secret\n")
    print(peer.makefile().readline().strip() or "nothing")
except OSError as fault: print("nothing")
PY
say() { laptop python3 "$work/say.py" "$1"; }
# as_stranger NAME=VALUE… ADDRESS PORT: a server of another user, its log in $work/stranger; $stranger is its process.
as_stranger() {
  local id before
  before=$(listeners "${*:$#}") # the run's own may be at the same number
  id=$(id -u "$(user stranger)")
  env -i PATH=/usr/bin:/bin "${@:1:$#-2}" setpriv --reuid "$id" --regid "$(id -g "$(user stranger)")" --clear-groups \
    python3 "$work/serve.py" "${@:$#-1}" "$work/stranger/log" &
  stranger=$!
  wait_for 20 more_listen "${*:$#}" "$before" || fail "the stranger does not listen"
}
listeners() { ss -Hltn "sport = :$1" | wc -l; }
more_listen() { [ "$(listeners "$1")" -gt "$2" ]; }
listens() { more_listen "$1" 0; }
dismiss() {
  kill "$stranger"
  wait "$stranger" 2>/dev/null || true
}
got_nothing() { [ ! -e "$work/stranger/log" ] || fail "$1: the stranger got: $(<"$work/stranger/log")"; }
state() { rv forward --list --json | python3 -c 'import json,sys; print({r["refusal"] for r in json.load(sys.stdin)["forwards"] if r["local_port"] == int(sys.argv[1])})' "$1"; }

{ read -r own && read -r wanted && read -r six && read -r other && read -r second; } < <(free_ports 5)
cat >"$work/run.sh" <<S
python3 "$work/serve.py" 127.0.0.1 $own "$work/run.log" &
python3 "$work/serve.py" ::1 $six "$work/run.log" &
until [ -e "$work/now" ]; do sleep 0.1; done
exec python3 "$work/serve.py" 0.0.0.0 $wanted "$work/run.log"
S
exits 0 rv -H loop run -t a40 -g 1 --time 10m --name served bash "$work/run.sh"
exits 0 rv -H loop run -t a40 -g 1 --time 10m --name other python3 "$work/serve.py" 127.0.0.1 "$other" "$work/other.log"
for port_of_run in "$own" "$other"; do
  wait_for 40 listens "$port_of_run" || fail "the runs do not listen"
done
job=$(slurm squeue -h --me -n "served@$(rv -H loop show served --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["id"])').1" -o %A)
node=$(slurm squeue -h -j "$job" -o %N)

# The port is in use before the forward begins, by a process that claims to belong to the job.
as_stranger "SLURM_JOB_ID=$job" "SLURMD_NODENAME=$node" 0.0.0.0 "$wanted"
exits 125 rv -H loop forward "$(free_port):$wanted" served
contains "names port, node and holder" "port $wanted of $node is another user's (UID $(id -u "$(user stranger)")), not the run's" "$err"
exits 0 rv -H loop forward --auto served --json
lacks "--auto" "$wanted" "$out"
exits 0 rv forward --stop all
got_nothing "held before"
dismiss

# It is free when the forward begins, and in use when a client connects.
local=$(free_port)
exits 0 rv -H loop forward "$local:$wanted" served
equal "nobody listens" nothing "$(say "$local")"
contains "nobody listens" "nothing listens on port $wanted of $node" "$(state "$local")"
as_stranger 0.0.0.0 "$wanted"
equal "taken since" nothing "$(say "$local")"
contains "the list says why" "port $wanted of $node is another user's" "$(state "$local")"
got_nothing "taken since"
dismiss
touch "$work/now"
wait_for 20 listens "$wanted" || fail "the run does not take its port"
equal "the run's at last" "0@0.0.0.0" "$(say "$local")"
equal "no more to say" "{''}" "$(state "$local")"
equal "the run got it" "got token=secret" "$(tail -n 1 "$work/run.log")"

# The same number on another address of the node is another port.
as_stranger 127.0.0.1 "$six"
through=$(free_port)
exits 0 rv -H loop forward "$through:$six" served
equal "the run's address" "0@::1" "$(say "$through")"
got_nothing "on another address"
dismiss
as_stranger ::1 "$own"
plain=$(free_port)
exits 0 rv -H loop forward "$plain:$own" served
equal "the run's address" "0@127.0.0.1" "$(say "$plain")"
got_nothing "on another address"
dismiss

# Another job of the same user.
exits 125 rv -H loop forward "$(free_port):$other" served
contains "the other job" "port $other of $node is your job " "$err"
through=$(free_port)
exits 0 rv -H loop forward "$through:$other" other
equal "its own run" "0@127.0.0.1" "$(say "$through")"
exits 0 rv -H loop stop served
exits 0 rv -H loop stop other

# Elements of an array, on two nodes, each in its own job.
# shellcheck disable=SC2016 # expands in the job
exits 0 rv -H loop run -t a40 -g 8 --time 10m --name sweep --array 0-1 \
  'ports=('"$own $second"'); exec python3 '"$work/serve.py"' 127.0.0.1 ${ports[RV_ARRAY_INDEX]} '"$work/run.log"
ports=("$own" "$second")
both() { [ "$(slurm squeue -h -r --me -t RUNNING -o %N | sort -u | wc -l)" -eq 2 ] && listens "$own" && listens "$second"; }
wait_for 60 both || fail "the elements do not listen: $(slurm squeue -t all) $(rv -H loop logs sweep)"
for index in 0 1; do
  node=$(slurm squeue -h -r --me -t RUNNING -o '%K %N' | sed -n "s/^$index //p")
  through=$(free_port)
  exits 0 rv -H loop forward "$through:${ports[index]}" --node "$node" sweep
  equal "element $index on $node" "${index}0@127.0.0.1" "$(say "$through")"
done
exits 0 rv -H loop stop sweep
