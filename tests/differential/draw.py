"""Draws a cluster, a load and requests from a seed.

A draw is plain data, so that it can be reduced and kept as a case:

    shape      what examples/sandbox takes (shapes/tiny.yaml explains it)
    commands   sacctmgr and scontrol lines once the cluster is up
    load       jobs that come before the requests: user, options of sbatch
    requests   what is asked: user, options of rv plan, and the words of sbatch for the same request
    keys       the keys of slurm.conf, sacctmgr and sbatch that were drawn
"""
import random
import re

USERS = ["games", "man"]
DRAWERS = []


def draws(*keys):
    """Registers a function that draws these keys."""

    def register(function):
        DRAWERS.append((keys, function))
        return function

    return register


def known_keys():
    return sorted({key for keys, _ in DRAWERS for key in keys})


class Draw:
    def __init__(self, seed, release=(22, 5)):
        self.random = random.Random(seed)
        self.cpus_only = random.Random(f"cpus only {seed}")  # apart: the same seed draws the same cluster as before
        self.seed, self.release = seed, release
        self.shape = {"cluster": "differential", "slurm": {}, "nodes": [], "partitions": [], "qos": [],
                      "accounts": ["lab", "other"], "users": list(USERS)}
        self.commands, self.load, self.keys = [], [], []
        self.askers = ["games", "games", "games", "man"]
        self.options = {}  # of every request, by name: option of rv and of sbatch

    def one(self, *values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def group(self):
        return self.random.choice([group for group in self.shape["nodes"] if group.get("gpus")])

    def partition(self):
        """Keys of the PartitionName line of one partition."""
        return self.random.choice(self.shape["partitions"]).setdefault("slurm", {})

    def node(self):
        group = self.group()
        return f"{group['name']}-{self.random.randint(1, group['count'])}"

    def add_qos(self, **limits):
        name = f"q{len(self.shape['qos']) + 1}"
        self.shape["qos"].append({"name": name, "limits": limits})
        return name

    def apply_qos(self, name):
        """The QOS becomes a partition's, or the users' default one."""
        if self.chance(0.5):
            self.random.choice(self.shape["partitions"])["qos"] = name
        else:
            self.commands.append(f"sacctmgr -i modify user {','.join(USERS)} set qos+={name} defaultqos={name}")

    def data(self, requests):
        return {"seed": self.seed, "shape": self.shape, "commands": self.commands, "load": self.load,
                "requests": requests, "keys": self.keys}


def base(draw):
    """One to three groups of nodes, one or two partitions over them."""
    for i in range(draw.one(1, 1, 2, 3)):
        group = {"name": f"n{'abc'[i]}", "count": draw.one(1, 2, 2, 3), "cpus": draw.one(8, 16), "memory": 32000,
                 "gpus": {"type": draw.one("a100", "a40", "v100"), "count": draw.one(1, 2, 4)}}
        draw.shape["nodes"].append(group)
    names = [group["name"] for group in draw.shape["nodes"]]
    draw.shape["partitions"].append({"name": "all", "nodes": names, "default": "true"})
    if draw.chance(0.6):
        draw.shape["partitions"].append({"name": "some", "nodes": names[:draw.random.randint(1, len(names))]})
    draw.shape["slurm"]["DefMemPerCPU"] = 1000


# --- nodes


@draws("Gres of two types")
def two_types(draw):
    group = draw.group()
    if isinstance(group["gpus"], dict):
        other = "v100" if group["gpus"]["type"] != "v100" else "a40"
        group["gpus"] = [group["gpus"], {"type": other, "count": draw.one(1, 2)}]


@draws("ThreadsPerCore", "Sockets", "CoresPerSocket")
def threads(draw):
    group = draw.group()
    group["slurm"] = {**group.get("slurm", {}), "Sockets": 1, "CoresPerSocket": group["cpus"] // 2, "ThreadsPerCore": 2}


@draws("Gres of MIG slices")
def slices(draw):
    """One group has slices of GPUs, of which a request asks for one."""
    draw.group()["gpus"] = {"type": draw.one("1g.10gb", "a100_3g.20gb"), "count": draw.one(1, 4)}


@draws("MemSpecLimit")
def system_memory(draw):
    draw.group().setdefault("slurm", {})["MemSpecLimit"] = draw.one(2000, 12000)


@draws("CoreSpecCount")
def system_cores(draw):
    draw.group().setdefault("slurm", {})["CoreSpecCount"] = draw.one(1, 2)


@draws("Weight")
def weight(draw):
    for group in draw.shape["nodes"]:
        group.setdefault("slurm", {})["Weight"] = draw.one(1, 10, 100)


@draws("node State")
def node_state(draw):
    for _ in range(draw.one(1, 2)):
        state = draw.one("drain", "down", "drain", "fail")
        draw.commands.append(f"scontrol update nodename={draw.node()} state={state} reason=test")


@draws("Feature", "sbatch --constraint")
def features(draw):
    for i, group in enumerate(draw.shape["nodes"]):
        group["features"] = [["ib", "nvme"], ["ib"], ["eth"]][(i + draw.random.randint(0, 2)) % 3]
    constraint = draw.one("ib", "nvme", "ib&nvme", "ib|eth", "[ib|eth]", "ib*1", "ib|tape", "tape", "!ib")
    draw.options["constraint"] = constraint


# --- partitions


@draws("PriorityTier")
def tier(draw):
    for partition in draw.shape["partitions"]:
        partition.setdefault("slurm", {})["PriorityTier"] = draw.one(1, 5, 10)


@draws("OverSubscribe")
def over_subscribe(draw):
    draw.partition()["OverSubscribe"] = draw.one("NO", "YES:2", "FORCE:2", "EXCLUSIVE", "EXCLUSIVE")


@draws("OverSubscribe=EXCLUSIVE with limits")
def whole_nodes_with_limits(draw):
    for partition in draw.shape["partitions"]:
        partition.setdefault("slurm", {})["OverSubscribe"] = draw.one("EXCLUSIVE", "EXCLUSIVE", "NO")
    draw.one(qos_limits, association_limits)(draw)


@draws("OverSubscribe of several partitions")
def sharing_partitions(draw):
    """Partitions over the same nodes, of which some let jobs share CPUs."""
    names = [group["name"] for group in draw.shape["nodes"]]
    draw.shape["partitions"].append({"name": "other", "nodes": names})
    for partition in draw.shape["partitions"]:
        partition.setdefault("slurm", {})["OverSubscribe"] = draw.one("NO", "NO", "YES:2", "FORCE:1", "FORCE:2", "EXCLUSIVE")


@draws("ExclusiveUser")
def exclusive_user(draw):
    draw.partition()["ExclusiveUser"] = "YES"


@draws("MinNodes")
def min_nodes(draw):
    draw.partition()["MinNodes"] = draw.one(1, 2)


@draws("MaxNodes")
def max_nodes(draw):
    draw.partition()["MaxNodes"] = draw.one(1, 2)


@draws("MaxCPUsPerNode")
def max_cpus(draw):
    draw.partition()["MaxCPUsPerNode"] = draw.one(2, 4, 8)


@draws("MaxCPUsPerSocket")
def max_cpus_of_socket(draw):
    """On nodes of two sockets. Earlier releases do not know the key: there the nodes alone are drawn."""
    group = draw.group()
    group["slurm"] = {**group.get("slurm", {}), "Sockets": 2, "CoresPerSocket": group["cpus"] // 2, "ThreadsPerCore": 1}
    most = draw.one(1, 2, 4)
    if draw.release >= (23, 2):
        draw.partition()["MaxCPUsPerSocket"] = most


@draws("MaxMemPerNode")
def max_memory(draw):
    draw.partition()["MaxMemPerNode"] = draw.one(4000, 16000)


@draws("MaxMemPerCPU")
def max_memory_of_cpu(draw):
    draw.partition()["MaxMemPerCPU"] = draw.one(1000, 2000)


@draws("DefMemPerNode")
def default_memory(draw):
    draw.shape["slurm"].pop("DefMemPerCPU", None)
    draw.partition()["DefMemPerNode"] = draw.one(2000, 8000)


@draws("DefMemPerGPU", "DefCpuPerGPU")
def job_defaults(draw):
    name = draw.one("DefMemPerGPU", "DefCpuPerGPU")
    value = draw.one(4000, 20000) if name == "DefMemPerGPU" else draw.one(2, 4)
    if draw.chance(0.3):
        draw.shape["slurm"][name] = value
    else:
        draw.partition()[name] = value


@draws("DefMemPerCPU")
def default_memory_of_cpu(draw):
    draw.partition()["DefMemPerCPU"] = draw.one(500, 4000)


@draws("LLN")
def least_loaded(draw):
    draw.partition()["LLN"] = "YES"


@draws("RootOnly")
def root_only(draw):
    draw.partition()["RootOnly"] = "YES"
    draw.askers += ["root", "root"]


@draws("ReqResv")
def only_with_reservation(draw):
    draw.partition()["ReqResv"] = "YES"


@draws("Hidden")
def hidden(draw):
    draw.partition()["Hidden"] = "YES"


@draws("DefaultTime")
def default_time(draw):
    draw.partition()["DefaultTime"] = draw.one("00:05:00", "00:30:00")


@draws("TRESBillingWeights")
def billing(draw):
    draw.partition()["TRESBillingWeights"] = draw.one("CPU=1.0,GRES/gpu=10.0", "GRES/gpu=5.0", "CPU=2.0,Mem=0.5G")
    draw.apply_qos(draw.add_qos(**{draw.one("MaxTRES", "MaxTRESPerUser", "GrpTRES"): f"billing={draw.one(4, 12, 40)}"}))


@draws("MaxTime")
def max_time(draw):
    draw.random.choice(draw.shape["partitions"])["max_time"] = draw.one("00:10:00", "01:00:00")


@draws("partition State")
def partition_state(draw):
    draw.partition()["State"] = draw.one("DOWN", "DRAIN", "INACTIVE")


@draws("AllowAccounts", "DenyAccounts")
def accounts_of_partition(draw):
    draw.partition()[draw.one("AllowAccounts", "DenyAccounts")] = draw.one("lab", "other")


@draws("AllowQos", "DenyQos")
def qos_of_partition(draw):
    name = draw.add_qos()
    draw.partition()[draw.one("AllowQos", "DenyQos")] = draw.one(name, "normal")
    if draw.chance(0.5):
        draw.commands.append(f"sacctmgr -i modify user {','.join(USERS)} set qos+={name}")


@draws("AllowGroups")
def groups_of_partition(draw):
    draw.partition()["AllowGroups"] = draw.one("games", "man", "mail")


@draws("DisableRootJobs")
def no_root(draw):
    draw.partition()["DisableRootJobs"] = "YES"
    draw.askers += ["root", "root"]


# --- QOS and associations

AMOUNTS = {
    "MaxTRES": ("gres/gpu=1", "gres/gpu=2", "cpu=4", "node=1", "mem=8000M"),
    "MaxTRESPerUser": ("gres/gpu=1", "gres/gpu=2", "cpu=6", "node=1"),
    "MaxTRESPerAccount": ("gres/gpu=1", "gres/gpu=2", "cpu=6"),
    "MaxTRESPerNode": ("gres/gpu=1", "cpu=4"),
    "MinTRESPerJob": ("gres/gpu=2", "cpu=4"),
    "GrpTRES": ("gres/gpu=1", "gres/gpu=2", "cpu=6", "node=1", "mem=12000M"),
    "GrpJobs": ("1", "2"),
    "GrpSubmit": ("1", "2", "3"),
    "MaxJobsPerUser": ("1", "2"),
    "MaxJobsPerAccount": ("1", "2"),
    "MaxSubmitJobsPerUser": ("1", "2", "3"),
    "MaxSubmitJobsPerAccount": ("1", "2", "3"),
    "MaxWall": ("00:10:00", "01:00:00"),
    "GrpTRESMins": ("gres/gpu=20", "gres/gpu=500", "cpu=60"),
    "MaxTRESMinsPerJob": ("gres/gpu=20", "gres/gpu=60", "cpu=100"),
    "GrpTRESRunMins": ("gres/gpu=20", "gres/gpu=90", "cpu=200"),
    "MaxTRESRunMinsPU": ("gres/gpu=20", "gres/gpu=90", "cpu=200"),
    "MaxTRESRunMinsPA": ("gres/gpu=20", "gres/gpu=90", "cpu=200"),
    "GrpWall": ("00:10:00", "10:00:00"),
}
OF_ASSOCIATION = {
    "MaxTRES": "MaxTRES", "GrpTRES": "GrpTRES", "GrpJobs": "GrpJobs", "GrpSubmit": "GrpSubmit", "MaxJobs": "MaxJobsPerUser",
    "MaxSubmitJobs": "MaxSubmitJobsPerUser", "MaxWall": "MaxWall", "GrpTRESMins": "GrpTRESMins",
    "MaxTRESMins": "MaxTRESMinsPerJob", "GrpTRESRunMins": "GrpTRESRunMins", "GrpWall": "GrpWall",
    "MaxTRESPerNode": "MaxTRESPerNode",
}


@draws(*(f"QOS {name}" for name in AMOUNTS))
def qos_limits(draw):
    names = draw.random.sample(sorted(AMOUNTS), draw.one(1, 1, 2))
    draw.apply_qos(draw.add_qos(**{name: draw.random.choice(AMOUNTS[name]) for name in names}))


QOS_FLAGS = ("DenyOnLimit", "OverPartQOS", "PartitionTimeLimit", "PartitionMaxNodes", "PartitionMinNodes", "NoReserve",
             "RequiresReservation", "NoDecay", "UsageFactorSafe")


@draws("QOS Flags")
def qos_flags(draw):
    """One or two flags, and the limits that they change."""
    flags = draw.random.sample(QOS_FLAGS, draw.one(1, 1, 2))
    limits = {"MaxTRESPerUser": draw.one(*AMOUNTS["MaxTRESPerUser"])}
    partition = draw.random.choice(draw.shape["partitions"])
    slurm = partition.setdefault("slurm", {})
    if "PartitionTimeLimit" in flags:
        partition["max_time"] = draw.one("00:10:00", "01:00:00")
        limits["MaxWall"] = draw.one(*AMOUNTS["MaxWall"])
    if "PartitionMaxNodes" in flags:
        slurm["MaxNodes"] = 1
    if "PartitionMinNodes" in flags:
        slurm["MinNodes"] = 2
    if "OverPartQOS" in flags:
        partition["qos"] = draw.add_qos(MaxTRESPerUser=draw.one(*AMOUNTS["MaxTRESPerUser"]))
    if {"NoDecay", "UsageFactorSafe"}.intersection(flags):
        limits["GrpTRESMins"] = draw.one(*AMOUNTS["GrpTRESMins"])
        draw.shape["slurm"]["AccountingStorageEnforce"] = draw.one("associations,limits,qos,safe", "associations,limits,qos")
    name = draw.add_qos(Flags=",".join(flags), **limits)
    draw.commands.append(f"sacctmgr -i modify user {','.join(USERS)} set qos+={name} defaultqos={name}")


@draws(*(f"association {name}" for name in OF_ASSOCIATION))
def association_limits(draw):
    name = draw.random.choice(sorted(OF_ASSOCIATION))
    value = draw.random.choice(AMOUNTS[OF_ASSOCIATION[name]])
    where = draw.one("account lab", "account root", "user games", "user games partition")
    if where == "account root" and name.startswith(("MaxJobs", "MaxSubmit", "MaxWall", "MaxTRES")):
        where = "account lab"
    if where == "user games partition":
        partition = draw.random.choice(draw.shape["partitions"])["name"]
        draw.commands.append(f"sacctmgr -i add user games account=lab partition={partition}")
        draw.commands.append(f"sacctmgr -i modify user where name=games account=lab partition={partition} set {name}={value}")
    elif where == "user games":
        draw.commands.append(f"sacctmgr -i modify user where name=games account=lab set {name}={value}")
    else:
        draw.commands.append(f"sacctmgr -i modify account where name={where.split()[1]} set {name}={value}")


@draws("account tree")
def account_tree(draw):
    """Both users below lab: games in sub (below team) and in crew, man in crew. Limits at one to three levels."""
    draw.commands += [
        "sacctmgr -i add account team,crew parent=lab",
        "sacctmgr -i add account sub parent=team",
        "sacctmgr -i add user games account=sub,crew defaultaccount=sub",
        "sacctmgr -i add user man account=crew defaultaccount=crew",
    ]
    for level in draw.random.sample(["root", "lab", "team", "sub", "crew", "games", "man"], draw.one(1, 2, 2, 3)):
        names = [name for name in sorted(OF_ASSOCIATION) if level != "root" or name.startswith("Grp")]
        name = draw.random.choice(names)
        value = draw.random.choice(AMOUNTS[OF_ASSOCIATION[name]])
        who = f"user where name={level}" if level in USERS else f"account where name={level}"
        draw.commands.append(f"sacctmgr -i modify {who} set {name}={value}")
    for _ in range(draw.one(1, 2, 3)):
        user = draw.one(*USERS)
        account = draw.one("sub", "crew", "other") if user == "games" else draw.one("crew", "other")
        draw.load.append({"user": user, "options": ["-A", account, "-N1", f"--gres=gpu:{draw.one(1, 1, 2)}", "--mem=1000", "-t",
                                                    draw.one("8", "30", "90")]})


@draws("AccountingStorageEnforce of limits")
def enforcement(draw):
    draw.shape["slurm"]["AccountingStorageEnforce"] = draw.one("associations,limits,qos,safe", "safe", "associations,qos", "associations")
    draw.one(qos_limits, association_limits)(draw)


@draws("limits on nodes")
def node_limits(draw):
    """Jobs side by side on one node, under a limit on nodes."""
    limit = f"node={draw.one(1, 2)}"
    name = draw.one("GrpTRES", "MaxTRESPerUser", "MaxTRESPerAccount")
    draw.apply_qos(draw.add_qos(**{name: limit}))
    if draw.chance(0.3):
        draw.commands.append(f"sacctmgr -i modify account where name=lab set GrpTRES=node={draw.one(1, 2, 3)}")
    for _ in range(draw.one(1, 2, 3)):
        draw.load.append({"user": draw.one(*USERS), "options": ["-w", draw.node(), "-N1", "--gres=gpu:1", "--mem=1000", "-t",
                                                                draw.one("8", "30", "90")]})


@draws("jobs that wait for a held job", "last element of a throttled array")
def held_and_throttled_load(draw):
    """A chain behind a held job, and an array of which one element waits."""
    if draw.chance(0.7):
        draw.load.append({"user": "man", "options": ["-N1", "--gres=gpu:1", "-t", "30", "--hold"]})
        for _ in range(draw.one(1, 2)):
            kind = draw.one("afterany", "afterok", "after")
            draw.load.append({"user": "man", "options": ["-N1", f"--gres=gpu:{draw.one(1, 2, 4)}", "-t", draw.one("8", "90"),
                                                         f"--dependency={kind}:PREVIOUS"]})
    if draw.chance(0.7):
        elements = draw.one("0-1%1", "0-2%1", "0-2%2", "3,5%1")
        draw.load.append({"user": draw.one(*USERS), "options": ["-N1", "--gres=gpu:1", "-t", draw.one("8", "90"),
                                                                f"--array={elements}"]})


# --- the rest of the cluster


@draws("reservation")
def reservation(draw):
    start = draw.one("now", "now+20minutes")
    whose = draw.one("users=man", "users=games", "accounts=other", "accounts=lab")
    what = draw.one(f"nodes={draw.node()}", "nodes=ALL", f"nodes={draw.node()}")
    flags = draw.one("", "", " flags=MAINT,IGNORE_JOBS", " flags=FLEX", " flags=DAILY")
    draw.commands.append(f"scontrol create reservation reservationname=kept starttime={start} duration=60 {whose} {what}{flags}")


@draws("reservation of CPUs", "magnetic reservation", "TRES reservation")
def reservation_of_kinds(draw):
    start = draw.one("now", "now+20minutes")
    whose = draw.one("users=man", "users=games", "accounts=other", "accounts=lab")
    kind = draw.one(f"nodes={draw.node()} flags=MAGNETIC", "nodecnt=1 partition=all", "nodecnt=1 partition=all corecnt=2",
                    "partition=all nodes=ALL flags=PART_NODES", f"nodes={draw.node()} flags=OVERLAP,PURGE_COMP",
                    f"nodes={draw.node()} flags=WEEKLY", f"nodes={draw.node()} flags=FLEX,MAGNETIC",
                    "tres=node=1 partition=all", "tres=cpu=2 partition=all nodecnt=1")
    draw.commands.append(f"scontrol create reservation reservationname=kept starttime={start} duration=60 {whose} {kind}")


@draws("topology/tree")
def topology(draw):
    groups = draw.shape["nodes"]
    lines = []
    under_switches = groups[:-1] if len(groups) > 1 and draw.chance(0.2) else groups
    for i, group in enumerate(under_switches):
        names = ",".join(f"{group['name']}-{n}" for n in range(1, group["count"] + 1))
        lines.append(f"SwitchName=s{i} Nodes={names}")
    if draw.chance(0.6):
        lines.append(f"SwitchName=top Switches=s[0-{len(under_switches) - 1}]")
    draw.shape["slurm"]["TopologyPlugin"] = "topology/tree"
    draw.shape["files"] = {"topology.conf": "\n".join(lines)}


@draws("Licenses", "sbatch --licenses")
def licences(draw):
    draw.shape["slurm"]["Licenses"] = "solver:1"
    draw.options["licenses"] = draw.one("solver:1", "solver:2")
    if draw.chance(0.5):
        draw.load.append({"user": "man", "options": ["-p", "all", "-N1", "-n1", "--mem=100", "-t", "60", "--licenses=solver:1"]})


@draws("PreemptType", "PreemptMode")
def preemption(draw):
    draw.shape["slurm"].update({"PreemptType": "preempt/partition_prio", "PreemptMode": draw.one("REQUEUE", "CANCEL")})
    tier(draw)


@draws("preemption by QOS")
def preemption_by_qos(draw):
    """The users' default QOS preempts the one of some jobs of the load."""
    draw.shape["slurm"].update({"PreemptType": "preempt/qos", "PreemptMode": draw.one("REQUEUE", "CANCEL")})
    low, high = draw.add_qos(), draw.add_qos()
    draw.commands += [f"sacctmgr -i modify qos {high} set preempt={low}",
                      f"sacctmgr -i modify user {','.join(USERS)} set qos+={low},{high} defaultqos={draw.one(low, high, high)}"]
    for _ in range(draw.one(1, 2, 4)):
        draw.load.append({"user": draw.one(*USERS), "options": ["--qos", draw.one(low, low, high), "-N1", "-t", "60", "--mem=1000",
                                                                f"--gres=gpu:{draw.one(1, 2, 4)}"]})


@draws("PriorityType")
def multifactor(draw):
    draw.shape["slurm"].update({"PriorityType": "priority/multifactor", "PriorityWeightAge": draw.one(0, 1000),
                                "PriorityWeightJobSize": draw.one(0, 1000), "PriorityWeightPartition": 1000})
    for partition in draw.shape["partitions"]:
        partition.setdefault("slurm", {})["PriorityJobFactor"] = draw.one(1, 100)


@draws("EnforcePartLimits")
def enforce(draw):
    draw.shape["slurm"]["EnforcePartLimits"] = draw.one("ALL", "ANY", "NO")


@draws("SelectTypeParameters")
def select_parameters(draw):
    draw.shape["slurm"]["SelectTypeParameters"] = draw.one("CR_CPU_Memory", "CR_Core", "CR_CPU")


# --- the load


@draws("sbatch --gres", "sbatch --gpus", "sbatch --gpus-per-node", "sbatch --array", "sbatch --dependency", "sbatch --hold",
       "sbatch --begin", "sbatch --exclusive")
def load(draw):
    for _ in range(draw.one(1, 2, 3, 4)):
        gpus = draw.one(1, 1, 2, 4)
        form = draw.one(f"--gres=gpu:{gpus}", f"--gpus={gpus}", f"--gpus-per-node={gpus}")
        partition = draw.random.choice(draw.shape["partitions"])["name"]
        options = ["-p", partition, "-N", str(draw.one(1, 1, 1, 2)), form, "--mem=1000", "-t", draw.one("8", "30", "90")]
        extra = draw.one([], [], [], ["--array=0-3%1"], ["--array=0-2"], ["--hold"], ["--begin=now+2hours"], ["--exclusive"],
                         ["--dependency"])
        if extra == ["--dependency"]:
            extra = ["--dependency=afterany:PREVIOUS"] if draw.load else []
        draw.load.append({"user": draw.one(*USERS), "options": options + extra})


@draws("sbatch --cpus-per-gpu", "sbatch --mem-per-gpu", "sbatch --mem-per-cpu", "sbatch --gpus-per-task", "sbatch --ntasks",
       "sbatch --nodelist", "sbatch --exclude", "sbatch --oversubscribe", "sbatch --exclusive=user", "sbatch --nice",
       "sbatch --threads-per-core", "sbatch --contiguous", "sbatch --account")
def load_of_other_forms(draw):
    for _ in range(draw.one(1, 2, 3)):
        gpus = draw.one(1, 1, 2)
        size = draw.one(["-N1", f"--gres=gpu:{gpus}", "--mem-per-cpu=500", "-c2"], ["-n2", "--gpus-per-task=1", "--mem=1000"],
                        ["-N1", f"--gpus={gpus}", "--cpus-per-gpu=2", "--mem-per-gpu=2000"], ["-N1", "-n4", "--mem=0"],
                        ["-n3", f"--gpus={gpus}", "--mem-per-cpu=1000"], ["-N1", "-n1", f"--gres=gpu:{gpus}"])
        extra = draw.one([], [], [f"--nodelist={draw.node()}"], [f"--exclude={draw.node()}"], ["--oversubscribe"],
                         ["--exclusive=user"], ["--nice=100"], ["--threads-per-core=1"], ["--contiguous"], ["--account=other"])
        draw.load.append({"user": draw.one(*USERS), "options": size + extra + ["-t", draw.one("8", "30", "90")]})


# --- what is asked


def request(draw):
    """One type in one partition on a named number of nodes: one strategy, or one rejection. Some ask for no GPUs."""
    group = draw.group()
    gpus = group["gpus"] if isinstance(group["gpus"], dict) else draw.random.choice(group["gpus"])
    partition = draw.random.choice(draw.shape["partitions"])["name"]
    nodes = draw.one(1, 1, 1, 2)
    per_node = draw.one(1, 1, 2, int(gpus["count"]))
    if "g." in gpus["type"]:
        nodes = per_node = 1  # one slice: more are no plan of rv's
    cpus, memory, minutes = draw.one(1, 2, 4), draw.one(1000, 4000, 9000), draw.one(5, 30, 120)
    rv = ["-g", str(nodes * per_node), "-t", gpus["type"], "--partition", partition, "--nodes", str(nodes), "--cpus", str(cpus),
          "--mem", f"{memory}M", "--time", f"{minutes}m"]
    sbatch = ["-p", partition, "-N", str(nodes), "--ntasks-per-node=1", f"--gres=gpu:{gpus['type']}:{per_node}", "-c", str(cpus),
              f"--mem={memory}M", "-t", str(minutes)]
    if draw.cpus_only.random() < 0.25:
        rv = ["-g", "0"] + rv[4:]
        sbatch = [word for word in sbatch if not word.startswith("--gres=")]
    for name, value in draw.options.items():
        rv += [f"--{name}", value]
        sbatch += [f"--{name}={value}"]
    if "sbatch --nodelist" in draw.keys and draw.chance(0.4):
        name, node = draw.one("nodelist", "exclude"), draw.node()
        rv += [f"--{name}", node]
        sbatch += [f"--{name}={node}"]
    return {"user": draw.one(*draw.askers), "rv": rv, "sbatch": sbatch}


def waiting_load(draw):
    """Jobs that end at their limits, for somewhat more GPUs than there are."""
    gpus_left = 1.2 * sum(group["count"] * int(gpus["count"]) for group in draw.shape["nodes"]
                          for gpus in ([group["gpus"]] if isinstance(group["gpus"], dict) else group["gpus"]))
    while gpus_left > 0:
        partition = draw.random.choice(draw.shape["partitions"])["name"]
        gpus = draw.one(1, 1, 2)
        options = ["-p", partition, "-N", "1", f"--gres=gpu:{gpus}", "-c", str(draw.one(1, 2, 4)), "--mem=1000",
                   "-t", draw.one("30", "40", "50", "60")]
        draw.load.append({"user": draw.one(*USERS), "options": options + draw.one([], [], [], ["--exclusive"])})
        gpus_left -= gpus


# Keys that change when a job starts, and no others: a request that is refused has no start.
OF_STARTS = {"OverSubscribe", "ExclusiveUser", "MaxCPUsPerNode", "PriorityTier", "ThreadsPerCore", "Weight", "Gres of two types",
             "SelectTypeParameters", "DefMemPerGPU"}


def draw_waits(seed, release):
    """A cluster on which most requests have to wait."""
    draw = Draw(seed, release)
    base(draw)
    for group in draw.shape["nodes"][1:]:
        group["count"] = 1
    chosen = [(keys, function) for keys, function in DRAWERS if OF_STARTS.intersection(keys)]
    for keys, function in draw.random.sample(chosen, draw.one(0, 1, 1, 2)):
        draw.keys += keys
        function(draw)
    waiting_load(draw)
    return draw.data([request(draw) for _ in range(6)])


def draw_cluster(seed, release, only=""):
    """For this release, (22, 5) of 22.05.8. `only`: a regular expression; a key of each drawn function matches it."""
    draw = Draw(seed, release)
    base(draw)
    chosen = [entry for entry in DRAWERS if entry[1] is not load and any(re.search(only, key) for key in entry[0])]
    for keys, function in draw.random.sample(chosen, min(draw.one(1, 2, 2, 3), len(chosen))):
        draw.keys += keys
        function(draw)
    if draw.chance(0.75):
        draw.keys += next(keys for keys, function in DRAWERS if function is load)
        load(draw)
    return draw.data([request(draw) for _ in range(6)])
