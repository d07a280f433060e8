"""free_ports.py N: N TCP ports that nobody listens on, a line each.

They lie below the ports from which the kernel takes the near ends of connections, where one that is free now may be
somebody's near end when the test comes to listen on it, and below those of the sandboxes.
"""
import errno
import random
import socket
import sys

PORTS = range(10000, 19500)


def taken(family, address, port):
    try:
        with socket.socket(family) as one:
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((address, port))
    except OSError as fault:
        return fault.errno == errno.EADDRINUSE  # a machine without IPv6 says something else
    return False


wanted = int(sys.argv[1])
for port in random.sample(PORTS, len(PORTS)):
    if not wanted:
        break
    if not taken(socket.AF_INET, "0.0.0.0", port) and not taken(socket.AF_INET6, "::", port):
        print(port)
        wanted -= 1
sys.exit(wanted != 0)
