#!/usr/bin/env bash
# Compares rv forward with two other ways to a port of a run: ssh -L on the same connection (sshd may forbid it, and it can't
# see which user owns the port), and one srun for each connection. Run as root:
#   RV=build/cli/rv RV_SANDBOX_DIR=FOLDER tests/bench/forward.sh     FOLDER: a running sandbox
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/../remote/lib.sh"

slurm_login
exits 0 rv -H loop exec true
control=$(find "/tmp/rv-$(id -u "$(user laptop)")" -type s)
remote=$(free_port) by_rv=$(free_port) by_ssh=$(free_port)
cat >"$work/serve.py" <<'PY'
import asyncio, sys
async def echo(reader, writer):
    while part := await reader.read(1 << 16):
        writer.write(part)
        await writer.drain()
    writer.close()
async def main():
    async with await asyncio.start_server(echo, "127.0.0.1", int(sys.argv[1])) as server: await server.serve_forever()
asyncio.run(main())
PY
exits 0 rv -H loop run -t a40 -g 1 --time 30m --name served python3 "$work/serve.py" "$remote"
listens() { laptop bash -c ": </dev/tcp/127.0.0.1/$1" 2>/dev/null; }
wait_for 30 listens "$remote" || fail "the run does not listen"
exits 0 rv -H loop forward "$by_rv:$remote" served
laptop ssh -o ControlPath="$control" -O forward -L "$by_ssh:127.0.0.1:$remote" loop
exits 0 rv -H loop show served --json
job=$(python3 -c 'import json,sys; print(json.load(sys.stdin)["candidates"][0]["job_id"])' <<<"$out")

# One connection: its first exchange, and 32 MB there and back; then 8 connections at once with an exchange each.
cat >"$work/times.py" <<'PY'
import socket, statistics, subprocess, sys, threading, time
ports, srun = [int(port) for port in sys.argv[1:3]], sys.argv[3:]
class Pipe:  # one srun
    def __init__(self):
        self.child = subprocess.Popen(srun, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    def send(self, data): self.child.stdin.write(data)
    def receive(self, most): return self.child.stdout.read(most)
    def close(self):
        self.child.stdin.close()
        self.child.wait()
class Socket:
    def __init__(self, port):
        self.peer = socket.create_connection(("127.0.0.1", port), timeout=60)
    def send(self, data): self.peer.sendall(data)
    def receive(self, most): return self.peer.recv(most)
    def close(self): self.peer.close()
ways = [lambda: Socket(ports[0]), lambda: Socket(ports[1]), Pipe]
def exchange(way):
    line = way()
    line.send(b"x")
    if line.receive(1) != b"x": sys.exit("no echo")
    return line
def first(way):
    begin = time.perf_counter()
    line = exchange(way)
    taken = time.perf_counter() - begin
    line.close()
    return taken * 1000
def bulk(way, size=32 << 20):
    line = exchange(way)
    begin = time.perf_counter()
    data = bytes(1 << 16)
    sender = threading.Thread(target=lambda: [line.send(data) for _ in range(size // len(data))])
    sender.start()
    left = size
    while left > 0:
        part = line.receive(1 << 16)
        if not part: sys.exit("cut short")
        left -= len(part)
    sender.join()
    taken = time.perf_counter() - begin
    line.close()
    return size / taken / 1e6
def many(way, count=8):
    begin = time.perf_counter()
    lines = [None] * count
    def one(number): lines[number] = exchange(way)
    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    taken = time.perf_counter() - begin
    if not all(lines): sys.exit("a connection of many failed")
    for line in lines: line.close()
    return taken * 1000
# In turns, so that whatever else the machine does meets all alike.
def row(what, measure, rounds):
    columns = zip(*[[measure(way) for way in ways] for _ in range(rounds)])
    print(f"{what:<36}" + "".join(f"{statistics.median(column):>12.1f}" for column in columns))
print(f"{'':<36}{'rv forward':>12}{'ssh -L':>12}{'srun each':>12}")
row("connect and one exchange, ms", first, 15)
row("one connection, MB/s both ways", bulk, 5)
row("8 connections at once, ms", many, 3)
PY
# shellcheck disable=SC2016  # for the shell on the node
step='exec 3<>"/dev/tcp/127.0.0.1/$0"; cat <&3 & cat >&3; kill $!'
laptop python3 "$work/times.py" "$by_rv" "$by_ssh" \
  ssh -o ControlPath="$control" loop "srun --quiet --unbuffered --overlap --jobid=$job -N1 -n1 bash -c $(printf %q "$step") $remote"
