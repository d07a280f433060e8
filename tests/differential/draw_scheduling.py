"""What the controller schedules by: reservations, topology, licences, preemption, priorities and selection."""
from draw_partitions import tier
from drawing import USERS, registry

DRAWERS, draws = registry()


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
