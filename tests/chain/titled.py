#!/usr/bin/env python3
"""As app.sh, a program that counts to LAST, a step a minute, and saves when it is warned; but one that sets its title.

usage: titled.py [--daemon] LAST

With --daemon it becomes nobody's child, in a session of its own; what started it waits for its end.
"""

import os
import signal
import subprocess
import sys

from set_title import set_title


def sleep(seconds):
    subprocess.run(["sleep", str(seconds)], check=True)  # Python's own fails on a fast clock


def daemonize():
    """Forks twice; the process between lives for a minute."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        os.setsid()
        if os.fork() == 0:
            sleep(120)  # until its parent is gone
            return
        sleep(60)
        os._exit(0)
    os.close(writer)
    os.wait()
    os.read(reader, 1)  # until the daemon is gone
    os._exit(0 if os.path.exists("titled.done") else 75)


def main():
    if sys.argv[1] == "--daemon":
        daemonize()
    last = int(sys.argv[-1])
    warned = []
    signal.signal(signal.SIGUSR1, lambda *_: warned.append(1))
    set_title(b"titled: counting")
    state = os.path.join(os.environ["RV_CHECKPOINT_DIR"], "0")
    step = int(open(state).read()) if os.path.exists(state) else 0
    while step < last:
        sleep(60)
        step += 1
        with open("steps.0", "a") as steps:
            steps.write(f"{step} {os.environ['RV_SEGMENT']}\n")
        if warned:
            with open(state + ".new", "w") as new:
                new.write(str(step))
            os.rename(state + ".new", state)
            sys.exit(75)
    open("titled.done", "w").close()


main()
