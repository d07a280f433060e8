"""Turns a shape (a small YAML file, see shapes/tiny.yaml) into the files of one private Slurm cluster.

    shape.py ports SHAPE                   how many TCP ports the cluster needs; also checks the shape
    shape.py write SHAPE DIR PORT SPEED    DIR/etc, DIR/dev; PORT is the first of its ports
"""

import glob
import os
import re
import socket
import stat
import sys

import yaml

sys.dont_write_bytecode = True  # nothing is left beside it
import accounting
import cloud

WRITTEN = {"slurm.conf", "gres.conf", "cgroup.conf", "slurmdbd.conf"}
SUN_PATH_MAX = 107  # bytes in the path of a unix socket


class ShapeError(Exception):
    pass


# ---- reading -----------------------------------------------------------------------------------

KEYS = {
    "shape": {"cluster", "slurm", "cgroup", "gres", "files", "nodes", "partitions", "qos", "accounts", "users"},
    "nodes": {"name", "count", "cpus", "memory", "gpus", "features", "clock", "cloud", "slurm"},
    "gpus": {"type", "count", "devices"},
    "partitions": {"name", "nodes", "default", "max_time", "max_nodes", "qos", "slurm"},
    "qos": {"name", "limits"},
}


def check(what, value, required=()):
    """A misspelt key must not silently give another cluster than the one asked for."""
    if not isinstance(value, dict):
        raise ShapeError(f"{what}: expected 'key: value' pairs, found {value!r}")
    unknown = sorted(set(value) - KEYS[what])
    if unknown:
        raise ShapeError(f"{what}: unknown key {unknown[0]!r} (known: {', '.join(sorted(KEYS[what]))})")
    for key in required:
        if key not in value:
            raise ShapeError(f"{what}: {key!r} is missing in {value!r}")


def make_numbers(what, value, keys):
    for key in keys:
        if not str(value[key]).isdigit() or int(value[key]) == 0:
            raise ShapeError(f"{what}: {key!r} must be a positive number, not {value[key]!r}")
        value[key] = int(value[key])


def gpus_of(group):
    gpus = group.get("gpus") or []
    return [gpus] if isinstance(gpus, dict) else gpus


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            # Every value is text for Slurm: with YAML's own types, 12:00:00 would be a number and OFF a boolean.
            shape = yaml.load(file, Loader=yaml.BaseLoader)
    except (OSError, yaml.YAMLError) as error:
        raise ShapeError(str(error)) from error
    check("shape", shape, ["nodes", "partitions"])
    for group in shape["nodes"]:
        check("nodes", group, ["name", "cpus", "memory"])
        group.setdefault("count", "1")
        make_numbers("nodes", group, ["count", "cpus", "memory"])
        if not re.fullmatch(r"[+-]?\d+", group.get("clock", "0")):
            raise ShapeError(f"nodes: 'clock' is a number of seconds, not {group['clock']!r}")
        for gpu in gpus_of(group):
            check("gpus", gpu, ["type", "count"])
            make_numbers("gpus", gpu, ["count"])
            if gpu.get("devices", "pretend") not in ("pretend", "nvidia"):
                raise ShapeError(f"gpus: devices must be 'pretend' or 'nvidia', not {gpu['devices']!r}")
    for name in shape.get("files") or {}:
        if not re.fullmatch(r"[A-Za-z0-9_]+\.(lua|conf)", name) or name in WRITTEN:
            raise ShapeError(f"files: not a file that it may bring: {name!r}")
    groups = {group["name"] for group in shape["nodes"]}
    qos = {"normal"} | {entry.get("name") for entry in shape.get("qos") or []}
    for partition in shape["partitions"]:
        check("partitions", partition, ["name", "nodes"])
        for name in partition["nodes"]:
            if name not in groups:
                raise ShapeError(f"partition {partition['name']}: no node group {name!r}")
        if partition.get("qos", "normal") not in qos:
            raise ShapeError(f"partition {partition['name']}: no QOS {partition['qos']!r}")
    for entry in shape.get("qos") or []:
        check("qos", entry, ["name"])
    return shape


def node_names(group):
    return [f"{group['name']}-{i}" for i in range(1, group["count"] + 1)]


def node_range(group):
    count = group["count"]
    return f"{group['name']}-" + ("1" if count == 1 else f"[1-{count}]")


def cloud_nodes(shape):
    """Those that run only while a job needs them."""
    return [node for group in shape["nodes"] if group.get("cloud") == "true" for node in node_names(group)]


def own_clocks(shape):
    """NODE SECONDS: how far a node's clock is from the machine's."""
    groups = [group for group in shape["nodes"] if int(group.get("clock", "0")) != 0]
    return [f"{node} {int(group['clock']):+d}" for group in groups for node in node_names(group)]


def ports_needed(shape):
    return 2 + sum(group["count"] for group in shape["nodes"])


# ---- slurm.conf and related files ----------------------------------------------------------------


def line(pairs):
    return " ".join(f"{key}={value}" for key, value in pairs.items())


def gpu_tres(shape):
    types = {gpu["type"] for group in shape["nodes"] for gpu in gpus_of(group)}
    return ["gres/gpu"] + [f"gres/gpu:{name}" for name in sorted(types)] if types else []


def auth_info(directory, speed):
    # A credential is valid for 300 s, which at x60 is 5 real seconds; 3600 is munge's maximum.
    return f"socket={directory}/run/munge.sock" + (",ttl=3600,cred_expire=3600" if speed > 1 else "")


def daemon_keys(shape, directory, port, speed):
    return {
        "ClusterName": shape.get("cluster", "sandbox"),
        "SlurmctldHost": f"{socket.gethostname().split('.')[0]}(127.0.0.1)",
        "SlurmctldPort": port,
        "SlurmctldPidFile": f"{directory}/run/slurmctld.pid",
        "SlurmctldLogFile": f"{directory}/log/slurmctld.log",
        "StateSaveLocation": f"{directory}/state",
        "SlurmdPidFile": f"{directory}/run/slurmd.%n.pid",
        "SlurmdLogFile": f"{directory}/log/slurmd.%n.log",
        "SlurmdSpoolDir": f"{directory}/spool/%n",
        "SlurmUser": "root",
        "AuthType": "auth/munge",
        "AuthInfo": auth_info(directory, speed),
    }


def scheduling_keys(speed):
    return {
        # One host simulates every node, whatever hardware it has.
        "SlurmdParameters": "config_overrides",
        "ReturnToService": 2,
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "JobAcctGatherType": "jobacct_gather/linux",
        "MpiDefault": "none",
        "MailProg": "/bin/true",
        "PropagateResourceLimits": "NONE",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core_Memory",
        "SchedulerType": "sched/backfill",
        # Short intervals for tests, but at least half a real second: with a fast clock slurmctld would do nothing but schedule.
        "SchedulerParameters": ",".join(
            [f"bf_interval={max(1, round(speed / 2))}", f"sched_interval={max(2, round(speed))}", "batch_sched_delay=0"]
        ),
        "JobRequeue": 1,
    }


def waiting_keys(speed):
    """Waits for real programs stay the same real length when the clock is fast."""
    return {
        "MinJobAge": 300,
        "KillWait": round(5 * speed),
        "InactiveLimit": 0,
        "MessageTimeout": round(10 * speed),
        "TCPTimeout": round(2 * speed),
        "BatchStartTimeout": round(10 * speed),
        "SlurmctldTimeout": round(120 * speed),
        "SlurmdTimeout": round(300 * speed),
        "UnkillableStepTimeout": round(60 * speed),
    }


def accounting_keys(directory, port):
    return {
        "JobCompType": "jobcomp/none",
        "AccountingStorageType": "accounting_storage/slurmdbd",
        "AccountingStorageHost": "127.0.0.1",
        "AccountingStoragePort": port + 1,
        # Without it accounting clients use the machine's own munge socket.
        "AccountingStoragePass": f"{directory}/run/munge.sock",
        "AccountingStorageEnforce": "associations,limits,qos",
    }


def global_keys(shape, directory, port, speed):
    """Every cluster-wide key."""
    keys = {
        **daemon_keys(shape, directory, port, speed),
        **scheduling_keys(speed),
        **waiting_keys(speed),
        **accounting_keys(directory, port),
    }
    if gpu_tres(shape):
        keys["GresTypes"] = "gpu"
        keys["AccountingStorageTRES"] = ",".join(gpu_tres(shape))
    if speed > 1 or own_clocks(shape):
        # Jobs get the clock of their cluster or node even when their submitter's environment does not reach them.
        keys["TaskProlog"] = f"{directory}/etc/task-prolog"
    if cloud_nodes(shape):
        others = [node_range(group) for group in shape["nodes"] if group.get("cloud") != "true"]
        keys.update(cloud.keys(directory, others, speed))
    keys.update(shape.get("slurm") or {})
    if not keys["AccountingStorageType"].endswith("slurmdbd"):
        # Slurm refuses to enforce limits without a database.
        keys = {key: value for key, value in keys.items() if not key.startswith("AccountingStorage")}
    return keys


def node_line(group, port):
    cpus, count = group["cpus"], group["count"]
    sockets = 2 if cpus % 2 == 0 else 1
    gpus = ",".join(f"gpu:{gpu['type']}:{gpu['count']}" for gpu in gpus_of(group))
    pairs = {
        "NodeName": node_range(group),
        "NodeHostname": "localhost",
        "NodeAddr": "127.0.0.1",
        "Port": port if count == 1 else f"[{port}-{port + count - 1}]",
        "CPUs": cpus,
        "Sockets": sockets,
        "CoresPerSocket": cpus // sockets,
        "RealMemory": group["memory"],
    }
    if gpus:
        pairs["Gres"] = gpus
    if group.get("cloud") == "true":
        pairs["State"] = "CLOUD"
    if group.get("features"):
        pairs["Feature"] = ",".join(map(str, group["features"]))
    return line({**pairs, **(group.get("slurm") or {})})


def partition_line(partition, groups):
    pairs = {
        "PartitionName": partition["name"],
        "Nodes": ",".join(node_range(groups[name]) for name in partition["nodes"]),
        "Default": "YES" if partition.get("default") == "true" else "NO",
        "State": "UP",
    }
    for key, slurm_key in (("max_time", "MaxTime"), ("max_nodes", "MaxNodes"), ("qos", "QOS")):
        if key in partition:
            pairs[slurm_key] = partition[key]
    return line({**pairs, **(partition.get("slurm") or {})})


def slurm_conf(shape, directory, port, speed):
    lines = [f"{key}={value}" for key, value in global_keys(shape, directory, port, speed).items()]
    node_port = port + 2
    for group in shape["nodes"]:
        lines.append(node_line(group, node_port))
        node_port += group["count"]
    groups = {group["name"]: group for group in shape["nodes"]}
    lines += [partition_line(partition, groups) for partition in shape["partitions"]]
    return lines


def cgroup_conf(shape):
    """slurmd loads a cgroup plugin even when nothing uses it; v1's is the one that is content without any cgroups."""
    return [f"{key}={value}" for key, value in {"CgroupPlugin": "cgroup/v1", **(shape.get("cgroup") or {})}.items()]


def slurmdbd_conf(directory, port, speed):
    return [
        f"{key}={value}"
        for key, value in {
            "DbdHost": "localhost",
            "DbdAddr": "127.0.0.1",
            "DbdPort": port + 1,
            "SlurmUser": "root",
            "AuthType": "auth/munge",
            "AuthInfo": auth_info(directory, speed),
            "MessageTimeout": round(10 * speed),
            "TCPTimeout": round(2 * speed),
            "PidFile": f"{directory}/run/slurmdbd.pid",
            "LogFile": f"{directory}/log/slurmdbd.log",
            "StorageType": "accounting_storage/mysql",
            # 'localhost' means a Unix socket, whose path is MYSQL_UNIX_PORT in the daemon's environment.
            "StorageHost": "localhost",
            "StorageUser": "root",
            "StorageLoc": "slurm_acct_db",
        }.items()
    ]


# ---- GPUs --------------------------------------------------------------------------------------


def device_range(folder, first, count):
    return f"{folder}/nvidia" + (str(first) if count == 1 else f"[{first}-{first + count - 1}]")


def gres_conf(shape, directory):
    """Pretend GPUs of all nodes share one folder of device files; real ones are dealt out, each to one node."""
    lines, real_used = [], 0
    for group in shape["nodes"]:
        pretend_used = 0
        for gpu in gpus_of(group):
            pairs = {"Name": "gpu", "Type": gpu["type"]}
            if gpu.get("devices") == "nvidia":
                for node in node_names(group):
                    file = device_range("/dev", real_used, gpu["count"])
                    lines.append(line({"NodeName": node, **pairs, "File": file}))
                    real_used += gpu["count"]
            else:
                file = device_range(f"{directory}/dev", pretend_used, gpu["count"])
                lines.append(line({"NodeName": node_range(group), **pairs, "File": file}))
                pretend_used += gpu["count"]
    lines += shape.get("gres") or []
    present = len([name for name in glob.glob("/dev/nvidia*") if re.fullmatch(r"/dev/nvidia\d+", name)])
    if real_used > present:
        raise ShapeError(f"it asks for {real_used} NVIDIA devices, this machine has {present}")
    return lines


def make_devices(shape, folder):
    """slurmd accepts character devices only; these are /dev/null under other names."""
    most = max(
        [sum(g["count"] for g in gpus_of(group) if g.get("devices") != "nvidia") for group in shape["nodes"]], default=0
    )
    for i in range(most):
        os.mknod(f"{folder}/nvidia{i}", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        os.chmod(f"{folder}/nvidia{i}", 0o666)


# ---- writing -----------------------------------------------------------------------------------


def write(path, lines, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in lines)
    os.chmod(path, mode)


def check_length(shape, directory):
    """slurmstepd keeps a unix socket in the node's spool folder, under the longest path of all."""
    longest = max(len(name) for group in shape["nodes"] for name in node_names(group))
    room = SUN_PATH_MAX - len("/spool//_12345678.4294967295") - 2 * longest
    if len(directory) > room:
        raise ShapeError(f"the path {directory} is too long for unix sockets: at most {room} characters here")


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "ports":
        print(ports_needed(load(arguments[1])))
    elif len(arguments) == 5 and arguments[0] == "write":
        shape, directory, port, speed = load(arguments[1]), arguments[2], int(arguments[3]), float(arguments[4])
        check_length(shape, directory)
        if speed > 1 and own_clocks(shape):
            raise ShapeError("nodes with a clock of their own go with --speed 1 only")
        etc = f"{directory}/etc"
        write(f"{etc}/slurm.conf", slurm_conf(shape, directory, port, speed))
        write(f"{etc}/gres.conf", gres_conf(shape, directory))
        write(f"{etc}/cgroup.conf", cgroup_conf(shape))
        write(f"{etc}/slurmdbd.conf", slurmdbd_conf(directory, port, speed), mode=0o600)
        write(f"{etc}/accounting", accounting.associations(shape))
        write(f"{etc}/limits", accounting.limits(shape))
        write(f"{etc}/clocks", own_clocks(shape))
        write(f"{etc}/cloud", cloud_nodes(shape))
        for name, text in cloud.programs(directory).items() if cloud_nodes(shape) else ():
            write(f"{etc}/{name}", text, mode=0o755)
        for name, text in (shape.get("files") or {}).items():
            write(f"{etc}/{name}", [text])
        write(f"{etc}/nodes", [name for group in shape["nodes"] for name in node_names(group)])
        make_devices(shape, f"{directory}/dev")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ShapeError as problem:
        sys.exit(f"sandbox: shape: {problem}")
