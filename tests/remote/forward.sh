#!/usr/bin/env bash
# rv forward opens ports of a run's node on the laptop: bytes pass unchanged both ways over many connections, by TCP to a job
# step or by srun, until the run ends and across a lost connection.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
exits 0 rv -H loop exec true

remote=$(free_port) hidden=$(free_port) local=$(free_port)
# On the node: an echo that answers the end of the data with a last word, on IPv4 and, at another port, on IPv6's loopback
# alone.
cat >"$work/serve.py" <<'PY'
import socket, sys, threading
def echo(peer):
    while True:
        part = peer.recv(65536)
        if not part: break
        peer.sendall(part)
    peer.sendall(b"last word")
    peer.close()
def serve(family, address):
    server = socket.socket(family)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(address)
    server.listen(256)
    while True: threading.Thread(target=echo, args=(server.accept()[0],), daemon=True).start()
threading.Thread(target=serve, args=(socket.AF_INET6, ("::1", int(sys.argv[2]))), daemon=True).start()
serve(socket.AF_INET, ("127.0.0.1", int(sys.argv[1])))
PY
cat >"$work/client.py" <<'PY'
import hashlib, os, socket, sys, threading
port, connections, size = map(int, sys.argv[1:])
faults = list(range(connections))  # until a thread has seen its own data come back
def one(number):
    data = os.urandom(size + number)
    peer = socket.create_connection(("127.0.0.1", port), timeout=15)
    def send():
        peer.sendall(data)
        peer.shutdown(socket.SHUT_WR)
    sender = threading.Thread(target=send)
    sender.start()
    got = b"".join(iter(lambda: peer.recv(65536), b""))
    sender.join()
    if got == data + b"last word": faults.remove(number)
    else: print(number, len(got), len(data), file=sys.stderr)
threads = [threading.Thread(target=one, args=(n,)) for n in range(connections)]
for t in threads: t.start()
for t in threads: t.join()
print(f"{len(faults)} differ" if faults else "all equal")
PY
nothing_listens() { ! laptop bash -c ": </dev/tcp/127.0.0.1/$1" 2>/dev/null; }
listens() { ! nothing_listens "$1"; }

exits 0 rv -H loop run -t a40 -g 1 --time 10m --name served python3 "$work/serve.py" "$remote" "$hidden"
id=$out
exits 0 rv -H loop run -t a40 -g 1 --time 10m --name later --after served sleep 1
exits 122 rv -H loop forward 1234 later
contains "a run that has not started" "has not started" "$err"
exits 2 rv -H loop forward
exits 2 rv -H loop forward 70000
contains "no such port" '"70000": expected ports from 1 to 65535' "$err"
wait_for 40 listens "$remote" || fail "the run does not listen"

# A port that is taken.
exits 2 rv -H loop forward "$remote" served
contains "a taken port" "port $remote of this machine is in use" "$err"
contains "a free one" "is free: write " "$err"

exits 0 rv -H loop forward "$local:$remote" served
contains "what is forwarded" "127.0.0.1:$local is port $remote of udc-" "$out"
equal "small and large, both ways" "all equal" "$(laptop python3 "$work/client.py" "$local" 1 20000000)"
equal "many at once" "all equal" "$(laptop python3 "$work/client.py" "$local" 200 50000)"
(exec 3<>"/dev/tcp/127.0.0.1/$local" && sleep 60) & # a connection that is never read
equal "beside one that stands still" "all equal" "$(laptop python3 "$work/client.py" "$local" 2 3000000)"
kill $!
equal "loopback alone" "127.0.0.1:$local" "$(ss -Hltn "sport = :$local" | awk '{print $4}')"

# A server on only one address of the node is reached as well.
through=$(free_port)
exits 0 rv -H loop forward "$through:$hidden" "$id"
equal "one address" "all equal" "$(laptop python3 "$work/client.py" "$through" 1 10000000)"
equal "many at one address" "all equal" "$(laptop python3 "$work/client.py" "$through" 100 20000)"
exits 0 rv forward --list --json
says "the list" '[f["state"] for f in d["forwards"]] == ["open"] * 2 and d["forwards"][0]["pid"] != d["forwards"][1]["pid"]' "$work/out"
exits 0 rv forward --stop "$through"
nothing_listens "$through" || fail "a stopped forward listens"

# All that the run listens on, and no more.
exits 0 rv -H loop forward --auto served --json
says "all that it listens on" "sorted(f['remote_port'] for f in d['forwards']) == sorted([$remote, $hidden])" "$work/out"
says "a port of its own here" "all(f['local_port'] != f['remote_port'] for f in d['forwards'] if f['remote_port'] == $remote)" "$work/out"
found=$(python3 -c 'import json,sys; print(*(r["local_port"] for r in json.loads(sys.argv[1])["forwards"] if r["remote_port"]==int(sys.argv[2])))' "$out" "$remote")
exits 0 rv forward --stop "$found"
nothing_listens "$found" || fail "one of two ports was stopped, and listens"
exits 0 rv forward --list
contains "the other one" " $hidden " "$out"

# The connection is lost: it is made again, and the port was there all the time.
control=$(find "/tmp/rv-$(id -u "$(user laptop)")" -type s)
laptop ssh -o ControlPath="$control" -O exit loop 2>/dev/null
reconnected() { [ "$(laptop python3 "$work/client.py" "$local" 1 1000 2>/dev/null)" = "all equal" ]; }
wait_for 40 reconnected || fail "the connection is not made again: $(rv forward --list)"

# On the login node itself.
here=$(free_port)
(eval "$environment" && HOME=$work RV_HOME=$work/home RV_SITE=/dev/null "$work/rv" forward "$here:$remote" served) >"$work/out"
equal "on the login node" "all equal" "$(python3 "$work/client.py" "$here" 5 100000)"
exits 2 rv forward --stop "$here"

# If the login node can't connect to the node, srun carries the data.
mkdir "$work/unreachable"
printf '#!/bin/sh\necho NodeAddr=nowhere\n' >"$work/unreachable/scontrol"
printf '#!/bin/sh\nexit 1\n' >"$work/unreachable/getent"
chmod +x "$work/unreachable"/*
carried=$(free_port)
(eval "$environment" && PATH=$work/unreachable:$PATH HOME=$work RV_HOME=$work/home RV_SITE=/dev/null \
  "$work/rv" forward "$carried:$remote" served) >"$work/out"
equal "through srun" "all equal" "$(python3 "$work/client.py" "$carried" 1 10000000)"
equal "many through srun" "all equal" "$(python3 "$work/client.py" "$carried" 100 20000)"

# The run's end is the end of its forwards.
exits 0 rv -H loop stop served
none_left() { [ "$(find "$work/laptop/.rv/forwards" "$work/home/forwards" -name '*.json' | wc -l)" -eq 0 ]; }
wait_for 30 none_left || fail "the run is over, and forwards are left: $(rv forward --list)"
wait_for 10 nothing_listens "$local" || fail "the run is over, and the port is open"
exits 122 rv -H loop forward "$local:$remote" served
contains "a run that is over" "is over" "$err"
