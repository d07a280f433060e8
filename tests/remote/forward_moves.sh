#!/usr/bin/env bash
# When a run continues in a job on another node, its forwards follow: the laptop's port stays and reaches the new node, over
# IPv4 and IPv6.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
exits 0 rv -H loop exec true

# Tells every caller in which job and on which node it runs, until it is notified that its GPU breaks: then the chain continues in
# another job, without that node.
cat >"$work/serve.py" <<'PY'
import os, socket, sys, threading, time
def serve(family, address):
    server = socket.socket(family)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(address)
    server.listen(16)
    while True:
        peer = server.accept()[0]
        peer.sendall(f"{os.environ['SLURM_JOB_ID']} {os.environ['SLURMD_NODENAME']}\n".encode())
        peer.close()
for family, host, port in ((socket.AF_INET, "127.0.0.1", sys.argv[1]), (socket.AF_INET6, "::1", sys.argv[2])):
    threading.Thread(target=serve, args=(family, (host, int(port))), daemon=True).start()
while not os.path.exists(sys.argv[3]): time.sleep(0.1)
os.remove(sys.argv[3])
print("CUDA_ERROR_ECC_UNCORRECTABLE", file=sys.stderr, flush=True)
os._exit(1)
PY
open=$(free_port) hidden=$(free_port) local=$(free_port) through=$(free_port)
exits 0 rv -H loop run --checkpoint --segment-time 10m --time 20m -t a40 -g 1 --name moves \
  python3 "$work/serve.py" "$open" "$hidden" "$work/crash"
answer() { laptop timeout 10 bash -c "exec 3<>/dev/tcp/127.0.0.1/$1 && cat <&3" 2>/dev/null; }
answers() { [ -n "$(answer "$1")" ]; }
wait_for 30 answers "$open" || fail "the run does not listen"
exits 0 rv -H loop forward "$local:$open" "$through:$hidden" moves
first=$(answer "$local")
equal "the same run through a step" "$first" "$(answer "$through")"

touch "$work/crash"
moved() {
  local now
  now=$(answer "$1")
  [ -n "$now" ] && [ "$now" != "$first" ]
}
wait_for 60 moved "$local" || fail "over TCP: $(answer "$local") as before: $(rv -H loop show moves)"
second=$(answer "$local")
[ "${second% *}" != "${first% *}" ] || fail "the same job: $first, then $second"
[ "${second#* }" != "${first#* }" ] || fail "the same node: $first, then $second"
through_step() { [ "$(answer "$through")" = "$second" ]; }
wait_for 30 through_step || fail "through a step: \"$(answer "$through")\" instead of \"$second\": $(rv forward --list)"
# A shell is in the new job too.
# shellcheck disable=SC2016 # expands on the node
equal "rv ssh" "$second" "$(rv -H loop ssh moves <<<'echo "$SLURM_JOB_ID $SLURMD_NODENAME"' 2>/dev/null)"
exits 0 rv -H loop stop moves
