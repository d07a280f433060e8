"""Runs a command on a terminal of its own: on_terminal.py SCRIPT COMMAND….

SCRIPT is a list of steps in JSON: a number waits that many seconds, a text is typed, {"until": TEXT} waits until the
screen has shown it (at most a minute), or, with "times": N, until it has shown it N times; {"make": FILE} makes an empty file and {"file":
FILE} waits until there is one (at most five minutes), by which the script and its test wait for each other; "hang up" closes the terminal
and waits for the command's end. All that the terminal showed goes to stdout; the exit status is the command's.
"""

import json
import os
import pty
import select
import sys
import time

seen = b""


def read(terminal, seconds, until=None, times=1):
    """Takes what comes, for so long or until it has been shown; False: the terminal is closed."""
    global seen
    end = time.monotonic() + seconds
    while time.monotonic() < end and (until is None or seen.count(until) < times):
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            data = os.read(terminal, 65536)
        except OSError:
            return False
        if not data:
            return False
        seen += data
    return True


def play(terminal, steps):
    for step in steps:
        if step == "hang up":
            os.close(terminal)
            return
        if isinstance(step, dict) and "make" in step:
            open(step["make"], "w").close()
            continue
        if isinstance(step, dict) and "file" in step:
            end = time.monotonic() + 300
            while not os.path.exists(step["file"]) and time.monotonic() < end and read(terminal, 0.1):
                pass
            if not os.path.exists(step["file"]):
                sys.stdout.buffer.write(seen)
                sys.exit(f"never made: {step['file']}")
            continue
        if isinstance(step, str):
            os.write(terminal, step.encode())
        elif isinstance(step, dict):
            text, times = step["until"].encode(), step.get("times", 1)
            read(terminal, 60, text, times)
            if seen.count(text) < times:
                sys.stdout.buffer.write(seen)
                sys.exit(f"never shown: {step['until']}")
        elif not read(terminal, step):
            return
    while read(terminal, 60):
        pass


pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
play(terminal, json.loads(sys.argv[1]))
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
