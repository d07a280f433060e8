"""A fast clock that separate processes share, on top of libfaketime.

    clock.py start NAME SPEED    creates it and prints NAME=VALUE lines: the environment of a process that uses it
    clock.py stop NAME
    clock.py shift NAME SECONDS  creates a clock with this offset from the machine's; several can have one NAME

libfaketime computes  start + (now - start) * speed.  'start' is per process unless FAKETIME_SHARED names a semaphore
and a shared page that contain it; the `faketime` command makes such a pair for its own children, and removes it when it
ends. Here the pair belongs to the sandbox, so any process started later, from any shell, has the daemons' clock.
"""

import ctypes
import glob
import os
import struct
import subprocess
import sys

# The library takes the semaphore to read a page that is no longer written. With a count of one, a process killed at the wrong
# moment would block all others forever; a large count never blocks.
SEMAPHORE_COUNT = 1 << 20
# ticks, file index, start seconds, start nanoseconds: -1 means that the first process sets the start.
UNSET = struct.pack("=QQqq", 0, 0, 0, -1)


def library():
    found = sorted(glob.glob("/usr/lib/*/faketime/libfaketime.so.1") + glob.glob("/usr/lib/faketime/libfaketime.so.1"))
    if not found:
        sys.exit("sandbox: libfaketime not found; run: sandbox install")
    return found[0]


def pair(name):
    """What libfaketime shares between processes. It would make a pair for each, which its children find gone."""
    os.umask(0)  # jobs of other users map the pair too
    libc = ctypes.CDLL(None, use_errno=True)
    libc.sem_open.restype = ctypes.c_void_p
    flags, mode = ctypes.c_int(os.O_CREAT | os.O_EXCL), ctypes.c_uint(0o666)
    if not libc.sem_open(f"/{name}".encode(), flags, mode, ctypes.c_uint(SEMAPHORE_COUNT)):
        sys.exit(f"sandbox: semaphore {name}: {os.strerror(ctypes.get_errno())}")
    with open(f"/dev/shm/{name}", "xb") as page:
        page.write(UNSET.ljust(4096, b"\0"))


def settings(name, setting):
    return {
        "LD_PRELOAD": library(),
        "FAKETIME": setting,
        "FAKETIME_SHARED": f"/{name} /{name}",
        # The setting never changes: reading it again every ten seconds would only cause races in programs with threads.
        "FAKETIME_CACHE_DURATION": "1000000000",
    }


def start(name, speed):
    pair(name)
    clock = settings(name, f"+0 x{speed}")
    subprocess.run(["true"], env={**os.environ, **clock}, check=True)  # fixes the start
    for words in clock.items():
        print("=".join(words))


def shift(name, seconds):
    if not os.path.exists(f"/dev/shm/{name}"):
        pair(name)
    # Waits do not depend on the time of day: the monotonic clock is not changed.
    for words in {**settings(name, f"{seconds:+d}s"), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}.items():
        print("=".join(words))


def stop(name):
    for path in (f"/dev/shm/{name}", f"/dev/shm/sem.{name}"):
        if os.path.exists(path):
            os.unlink(path)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "start":
        start(sys.argv[2], sys.argv[3])
    elif len(sys.argv) == 3 and sys.argv[1] == "stop":
        stop(sys.argv[2])
    elif len(sys.argv) == 4 and sys.argv[1] == "shift":
        shift(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(__doc__)
