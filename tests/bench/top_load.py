#!/usr/bin/env python3
"""rv top while it watches a thousand runs on a running sandbox: CPU and memory of it, and what it asks of the controller.

usage: eval "$(examples/sandbox/sandbox env)"; tests/bench/top_load.py build/cli/rv [RUNS]

The runs are those of watch_load.py: each has a real job of its own, held. The first 20 s, in which all is read for the
first time, are left out.
"""

import concurrent.futures
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

import watch_load

SETTLING = 20
SECONDS = 120


def cpu_of(pid):
    """Seconds of it, and of the commands that it has waited for."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        field = file.read().rsplit(")", 1)[1].split()
    tick = os.sysconf("SC_CLK_TCK")
    return (int(field[11]) + int(field[12])) / tick, (int(field[13]) + int(field[14])) / tick


def largest_memory(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


def read_for(terminal, seconds):
    """What is drawn meanwhile."""
    drawn = b""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                drawn += os.read(terminal, 65536)
            except OSError:  # it has ended
                break
    return drawn


def watch(rv, count):
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp(rv, [rv, "top"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    shown = read_for(terminal, SETTLING)
    if f" {count} waiting" not in shown.decode(errors="replace"):
        sys.exit(f"rv top does not show {count} waiting runs")
    begun, commands_begun = cpu_of(pid)
    before = watch_load.rpcs()
    drawn = len(read_for(terminal, SECONDS))
    ended, commands_ended = cpu_of(pid)
    after = watch_load.rpcs()
    memory = largest_memory(pid)
    os.write(terminal, b"q")
    read_for(terminal, 1)
    os.waitpid(pid, 0)
    return (ended - begun) / SECONDS, (commands_ended - commands_begun) / SECONDS, memory, drawn, {
        name: count - before.get(name, 0) for name, count in after.items() if count > before.get(name, 0)}


def main():
    rv = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory(prefix="rv-top-") as home:
        os.environ["RV_HOME"] = home
        runs = os.path.join(home, "runs")
        os.makedirs(runs)
        try:
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda number: watch_load.make_run(runs, number), range(count)))
            own, commands, memory, drawn, rpcs = watch(rv, count)
        finally:
            subprocess.run(["scancel", "--me"], check=False)
    print(f"{'what':44}{'figure':>12}{'limit':>12}")
    for what, figure, limit in (("runs watched", f"{count}", ""),
                                ("CPU of rv top, of one core", f"{own:.2%}", "1%"),
                                ("  of the Slurm commands it starts", f"{commands:.2%}", ""),
                                ("largest memory", f"{memory:.0f} MB", "30 MB"),
                                ("drawn, bytes a second", f"{drawn / SECONDS:.0f}", "")):
        print(f"{what:44}{figure:>12}{limit:>12}")
    print(f"RPCs in {SECONDS} s: " + ", ".join(f"{name} {number}" for name, number in sorted(rpcs.items())))


if __name__ == "__main__":
    main()
