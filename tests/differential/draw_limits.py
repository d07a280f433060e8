"""Limits of QOS and of associations, and how Slurm enforces them."""
from drawing import USERS, registry

DRAWERS, draws = registry()


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
