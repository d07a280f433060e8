"""titled_sleeper.py [--daemon] FILE: sets its title, writes its process ID to FILE and sleeps. With --daemon in a session of
its own, and what started it is gone at once."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "chain"))
from set_title import set_title  # noqa: E402

if sys.argv[1] == "--daemon" and (os.fork() or os.setsid() or os.fork()):
    os._exit(0)
set_title(b"titled")
with open(sys.argv[-1] + ".new", "w") as file:
    file.write(f"{os.getpid()}\n")
os.rename(sys.argv[-1] + ".new", sys.argv[-1])
time.sleep(600)
