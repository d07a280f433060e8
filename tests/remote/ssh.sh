#!/usr/bin/env bash
# rv ssh from the laptop to a compute node: terminal size, Ctrl-C and exit code pass, and rv gpu and rv cost work for a run on
# the cluster.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
exits 0 rv -H loop exec true
exits 0 rv -H loop up --detach -t a40 -g 2 --time 10m --name held
holding() { rv -H loop show held --json 2>/dev/null | grep -q '"state": "holding"'; }
wait_for 30 holding || fail "does not hold"

cat >"$work/window.py" <<'PY'
import fcntl, os, pty, select, struct, sys, termios, time
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 31, 123, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
def until(part):
    global seen
    while part not in seen:
        assert select.select([fd], [], [], 20)[0], seen
        try: got = os.read(fd, 4096)
        except OSError: break
        if not got: break
        seen += got
    assert part in seen, seen
until(b"# ")  # what is typed before the prompt can get lost
os.write(fd, b"stty size; echo node=$SLURMD_NODENAME gpus=$CUDA_VISIBLE_DEVICES\n")
until(b"31 123")
until(b"gpus=0,1")
os.write(fd, b"echo begins=$((6 * 7)); sleep 100\n")
until(b"begins=42")
time.sleep(0.5)  # bash starts sleep; a Ctrl-C at the prompt gives the same code
os.write(fd, b"\x03")
until(b"^C")
seen = seen.split(b"^C")[-1]  # the prompt may have come with it
until(b"# ")  # Ctrl-C drops what is typed before it was handled
os.write(fd, b"echo after=$?; exit 9\n")
until(b"after=130")
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
assert code == 9, code
PY
laptop python3 "$work/window.py" "$work/rv" -H loop ssh held
holding || fail "leaving the shell released the GPUs"

code=0
# shellcheck disable=SC2016 # expands on the node
out=$(echo 'echo "node $SLURMD_NODENAME"; exit 5' | laptop "$work/rv" -H loop ssh held) || code=$?
equal "exit code without a terminal" 5 "$code"
contains "without a terminal" "node udc-" "$out"

exits 125 rv -H loop gpu held
contains "no nvidia-smi" "this node has no nvidia-smi" "$err"
exits 0 rv -H loop cost held --json
says "its GPU hours" 'd["runs"][0]["gpu_hours"] > 0' "$work/out"
exits 0 rv -H loop stop held
