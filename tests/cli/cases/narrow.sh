#!/usr/bin/env bash
# Output fits narrow terminals, terminals that are resized during a wait, terminals that can't move the cursor, and pipes.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
escape=$(printf '\033')
now=$(date +%s)
folder=$RV_HOME/runs/aaaaaa
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
way="1 × A40 48 GB on a partition with a name that is long enough for every terminal: gpu-interactive-preempt"
printf '{"version":2,"id":"aaaaaa","name":"train","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
  "created":%s,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[{"number":1,"job_name":"train@aaaaaa.1",
  "summary":"%s","gpu_type":"a40","gpus":1,"nodes":1,"partition":"gpu","free_now":false,"time_limit_s":60}]}' \
  "$now" "$way" >"$folder/run.json"
printf '{"time":%s,"event":"submitted","candidate":1,"job_id":7}\n' "$now" >"$folder/events.jsonl"

# on_narrow_terminal ENDING WIDTH… -- COMMAND…: what a terminal shows that is so wide, from second to second as wide as the next
# says; then ENDING is typed. Rows as long as they were written: nothing wraps here.
on_narrow_terminal() {
  python3 - "$@" <<'PY' >"$work/out"
import fcntl, os, pty, select, signal, struct, sys, termios, time
at = sys.argv.index("--")
typed, widths, command = sys.argv[1], [int(word) for word in sys.argv[2:at]], sys.argv[at + 1:]
def resize(terminal, width):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
sized, tell = os.pipe()
pid, terminal = pty.fork()
if pid == 0:
    os.read(sized, 1)  # begins when the terminal has its first width
    os.execvp(command[0], command)
for width in widths:
    resize(terminal, width)
    os.write(tell, b".")
    print(f"\nwidth {width}", flush=True)
    shown, end = False, time.monotonic() + 20  # a second from the first that is shown there
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not shown:
                shown, end = True, time.monotonic() + 1
            sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
            sys.stdout.flush()
os.write(terminal, typed.encode())
time.sleep(0.3)
os.waitpid(pid, 0)
PY
  out=$(tr -d '\0' <"$work/out")
}
# longest WIDTH: of the lines after "width WIDTH", in characters, without colours and cursor movements.
longest() {
  sed "s/$escape\[[0-9;]*[A-Za-z]//g; s/\r//g" "$work/out" |
    python3 -c 'import sys
wanted, longest = "width " + sys.argv[1], 0
inside = False
for line in sys.stdin.read().split("\n"):
    if line.startswith("width "): inside = line == wanted
    elif inside and not line.startswith("rv: "): longest = max(longest, len(line))
print(longest)' "$1"
}

for width in 30 60 80; do
  on_narrow_terminal "" "$width" -- "$RV" ps
  contains stdout aaaaaa "$out"
  [ "$(longest "$width")" -le "$width" ] || fail "rv ps: $(longest "$width") characters on $width columns"
done
runs rv ps
contains stdout aaaaaa "$out"
lacks stdout "$escape" "$out"
"$RV" show aaaaaa | cat >"$work/out"
out=$(<"$work/out")
contains stdout "$way" "$out"
lacks stdout "$escape" "$out"

# A wait follows the terminal's width as it changes.
on_narrow_terminal $'\003' 90 50 70 -- "$RV" logs -f aaaaaa
contains stdout "waiting for GPUs" "$out"
for width in 90 50 70; do
  [ "$(longest "$width")" -gt 20 ] || fail "nothing is shown on $width columns"
  [ "$(longest "$width")" -le "$width" ] || fail "logs -f: $(longest "$width") characters on $width columns"
done
contains stdout "${escape}[" "$out"

# Without a cursor: a line for each thing that is new, nothing else.
TERM=dumb on_narrow_terminal $'\003' 60 -- "$RV" logs -f aaaaaa
contains stdout "rv: " "$out"
lacks stdout "$escape" "$out"
timeout -s INT 5 "$RV" logs -f aaaaaa 2>&1 | cat >"$work/out"
out=$(<"$work/out")
contains stdout "$way" "$out"
lacks stdout "$escape" "$out"
