"""free_ports.py N [PROCESS]: N TCP ports that nobody listens on, a line each, reserved while the process lives (by default
the parent of this one).

They lie below the ports from which the kernel takes the near ends of connections, where one that is free now may be
somebody's near end when the test comes to listen on it, and below those of the sandboxes. A probe alone would give two
tests that start at once the same port: each port that is given out has a file that names the process it was given to.
"""
import errno
import fcntl
import os
import random
import socket
import sys

PORTS = range(10000, 19500)
RESERVED = os.path.join(os.environ.get("TMPDIR", "/tmp"), "rv-test-ports")


def taken(family, address, port):
    try:
        with socket.socket(family) as one:
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((address, port))
    except OSError as fault:
        return fault.errno == errno.EADDRINUSE  # a machine without IPv6 says something else
    return False


def identity(process):
    """The process and its start time, which distinguishes it from a later process with the same PID. Empty: it has ended."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return f"{process} {file.read().rpartition(')')[2].split()[19]}"
    except OSError:
        return ""


def reserve(port, owner):
    path = os.path.join(RESERVED, str(port))
    try:
        if os.path.exists(path):
            with open(path) as file:
                holder = file.read()
            if holder and identity(holder.split()[0]) == holder:
                return False
            os.unlink(path)  # its test is over
        with open(path, "x") as file:
            file.write(owner)
        return True
    except OSError:
        return False  # another user's


wanted = int(sys.argv[1])
owner = identity(sys.argv[2] if len(sys.argv) > 2 else os.getppid())
os.makedirs(RESERVED, exist_ok=True)
try:
    os.chmod(RESERVED, 0o1777)  # tests run as several users
except PermissionError:
    pass
folder = os.open(RESERVED, os.O_RDONLY | os.O_DIRECTORY)
fcntl.flock(folder, fcntl.LOCK_EX)  # until this process ends
for port in random.sample(PORTS, len(PORTS)):
    if not wanted:
        break
    if taken(socket.AF_INET, "0.0.0.0", port) or taken(socket.AF_INET6, "::", port):
        continue
    if reserve(port, owner):
        print(port)
        wanted -= 1
sys.exit(wanted != 0)
