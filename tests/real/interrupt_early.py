#!/usr/bin/env python3
"""interrupt_early.py RV RUNS UNTIL DELAY WORDS...: rv WORDS, interrupted DELAY seconds after a run's folder (UNTIL is
"folder") or the file UNTIL in it has come. Whatever rv has done by then, it must say that it gave up. Not in shell: a
shell starts what runs in the background with SIGINT ignored."""
import os
import signal
import subprocess
import sys
import time

rv, runs, until, delay = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])


def folders():
    return [name for name in os.listdir(runs) if name[0] != "."] if os.path.isdir(runs) else []


before = set(folders())


def come():
    new = [name for name in folders() if name not in before]
    return new and (until == "folder" or os.path.exists(f"{runs}/{new[0]}/{until}"))


client = subprocess.Popen([rv] + sys.argv[5:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
while client.poll() is None and not come():
    pass
time.sleep(delay)
client.send_signal(signal.SIGINT)
out, err = client.communicate(timeout=60)
left = [name for name in folders() if name not in before]
told = f"exit code {client.returncode}; runs {left}; stdout: {out}; stderr: {err}"
# Who is quicker than the signal has said what there is.
if client.returncode == 0 and left and left[0] in out + err:
    subprocess.run([rv, "stop", left[0]], check=True, capture_output=True)
    sys.exit(0)
if client.returncode != 130:
    sys.exit(f"not ended by Ctrl-C: {told}")
if "interrupted before anything was submitted" in err:
    sys.exit(f"something is left behind: {told}" if left else 0)
if "rv: cancelled" not in err:
    sys.exit(f"it does not say that it gave up: {told}")
