"""Supervises every process of one sandbox, and reserves its ports.

    supervisor.py hold DIR PORTS COMMAND…   runs COMMAND (which starts the daemons); ends them all on SIGTERM
    supervisor.py clear DIR                 ends what a killed holder left behind
    supervisor.py kill DIR DAEMON [NODE]    SIGKILL for slurmctld, slurmdbd or one node's slurmd; its jobs continue
    supervisor.py power-off DIR NODE        SIGKILL for a node's slurmd, its steps and all their descendants
    supervisor.py freeze DIR NODE           SIGSTOP for these processes
    supervisor.py thaw DIR NODE             SIGCONT for these processes

Daemons detach and jobs start their own sessions, so neither process groups nor PID files include all of them. The holder
is a child subreaper (prctl(2)): orphans among its descendants become its children. So its descendants are exactly the
sandbox's processes, and no other process is ever signalled.
"""

import ctypes
import os
import random
import signal
import socket
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
# Ports are allocated in blocks, below the range of ephemeral ports and above those where the processes of a job connect
# (rendezvous_port.inc.sh). Listening on a block's guard port claims the block: the kernel gives the port to one process only,
# and releases it however that process ends.
BLOCK, FIRST, LAST, GUARDS = 50, 30000, 32700, 32700
DAEMONS = {"munged", "mariadbd", "slurmdbd", "slurmctld", "slurmscriptd", "slurmd"}


# ---- processes ---------------------------------------------------------------------------------


def processes():
    """{pid: (parent, name, start time)} of everything alive."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    text = file.read()
            except OSError:
                continue  # ended meanwhile
            name, rest = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
            if rest[0] not in "ZX":
                found[int(entry)] = (int(rest[1]), name, rest[19])
    return found


def below(roots):
    """The living descendants of the given pids."""
    every, children = processes(), {}
    for pid, (parent, _, _) in every.items():
        children.setdefault(parent, []).append(pid)
    result, todo = {}, list(roots)
    while todo:
        for pid in children.get(todo.pop(), []):
            if pid not in result:
                result[pid] = every[pid][1]
                todo.append(pid)
    return result


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def base(name):
    return name.removesuffix("-wlm")  # Debian's names for the daemons


def end_all(current, patience):
    """Jobs get SIGTERM and `patience` seconds; then the rest gets SIGKILL.

    The daemons' own ending takes them two seconds, to save what is about to be removed with the folder.
    """

    def jobs():
        return [pid for pid, name in current().items() if base(name) not in DAEMONS]

    def programs():
        return [pid for pid, name in current().items() if base(name) not in DAEMONS | {"slurmstepd"}]

    def wait(group, seconds):
        until = time.monotonic() + seconds
        while group() and time.monotonic() < until:
            reap()
            time.sleep(0.02)
        reap()

    send(programs(), signal.SIGTERM)
    wait(jobs, patience)  # a step's own daemon leaves after it has reported the end
    while current():
        send(current(), signal.SIGKILL)
        wait(current, 0.5)


# ---- ports -------------------------------------------------------------------------------------


def free(port):
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True


def claim(count):
    """A free run of ports, and the listening sockets that keep other sandboxes off its blocks while they are open."""
    blocks = -(-count // BLOCK)
    starts = list(range((LAST - FIRST) // BLOCK - blocks + 1))
    random.shuffle(starts)  # a client of an ended sandbox should not meet the next one at once
    for start in starts:
        guards = []
        try:
            for block in range(start, start + blocks):
                guards.append(socket.create_server(("127.0.0.1", GUARDS + block)))
            first = FIRST + start * BLOCK
            if all(free(port) for port in range(first, first + count)):
                return first, guards
        except OSError:
            pass  # another sandbox has the block
        for guard in guards:
            guard.close()
    sys.exit("sandbox: no free ports")


# ---- commands ----------------------------------------------------------------------------------


def start_time(pid):
    return processes()[pid][2]


def restart_ordered(directory, command, environment):
    """Starts again what a file in orders/ names, as a child of the keeper like at the first start."""
    orders = f"{directory}/orders"
    for name in os.listdir(orders) if os.path.isdir(orders) else []:
        os.remove(f"{orders}/{name}")
        subprocess.Popen([*command, name], env=environment, cwd="/", stdin=subprocess.DEVNULL)


def hold(directory, count, command):
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("this kernel has no child subreapers")
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    port, guards = claim(count)
    with open(f"{directory}/keeper", "w", encoding="utf-8") as file:
        file.write(f"{os.getpid()} {start_time(os.getpid())}\n")
    # The caller's SLURM_*, LD_PRELOAD and the like must not shape the cluster.
    environment = {name: os.environ[name] for name in ("PATH", "TZ", "RV_SANDBOX_USER") if name in os.environ}
    environment |= {"HOME": "/root", "LC_ALL": "C", "RV_SANDBOX_PORT": str(port)}
    ready = f"{directory}/ready"
    boot = subprocess.Popen(command, env=environment, cwd="/", stdin=subprocess.DEVNULL)
    while not ending:
        reap()
        restart_ordered(directory, command, environment)
        # The start creates the file last, and may do so and end while this searches for its process.
        if not os.path.exists(ready) and boot.pid not in below([os.getpid()]) and not os.path.exists(ready):
            break  # the start failed
        time.sleep(0.1)
    end_all(lambda: below([os.getpid()]), patience=2)
    for guard in guards:
        guard.close()


def has_open(pid, path):
    try:
        files = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        return any(file == path or file.startswith(f"{path}/") for file in files)
    except OSError:
        return False  # ended meanwhile


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").split("\0")
    except OSError:
        return []


def daemons(directory, kind, node=""):
    """The processes of one daemon of this sandbox."""
    return [
        pid
        for pid, (_, name, _) in processes().items()
        if base(name) == kind and has_open(pid, directory) and (not node or node in command_line(pid))
    ]


def daemons_of(directory, node):
    """A node's slurmd and the daemons of its steps."""
    log = f"{directory}/log/slurmd.{node}.log"
    return [pid for pid, (_, name, _) in processes().items() if base(name) in ("slurmd", "slurmstepd") and has_open(pid, log)]


def power_off(directory, node):
    roots = daemons_of(directory, node)
    # A step that survived for a moment would report the end of its processes; a node that is off must report nothing.
    send(roots, signal.SIGSTOP)
    send([*below(roots), *roots], signal.SIGKILL)


def freeze(directory, node):
    roots = daemons_of(directory, node)
    send(roots, signal.SIGSTOP)
    send(below(roots), signal.SIGSTOP)


def thaw(directory, node):
    roots = daemons_of(directory, node)
    send([*below(roots), *roots], signal.SIGCONT)


def orphans(directory):
    """Daemons and steps that have a file of the sandbox open (their logs are), and all below them."""
    kinds = DAEMONS | {"slurmstepd"}
    roots = {pid: name for pid, (_, name, _) in processes().items() if base(name) in kinds and has_open(pid, directory)}
    return {**below(roots), **roots}


def main(arguments):
    if len(arguments) >= 4 and arguments[0] == "hold":
        hold(arguments[1], int(arguments[2]), arguments[3:])
    elif len(arguments) == 2 and arguments[0] == "clear":
        end_all(lambda: orphans(arguments[1]), patience=1)
    elif len(arguments) in (3, 4) and arguments[0] == "kill":
        send(daemons(*arguments[1:]), signal.SIGKILL)
    elif len(arguments) == 3 and arguments[0] == "power-off":
        power_off(arguments[1], arguments[2])
    elif len(arguments) == 3 and arguments[0] == "freeze":
        freeze(arguments[1], arguments[2])
    elif len(arguments) == 3 and arguments[0] == "thaw":
        thaw(arguments[1], arguments[2])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
