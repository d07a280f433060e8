"""Keys of partitions: who may use them, their limits and defaults, and whether jobs share their nodes."""
from draw_limits import association_limits, qos_limits
from drawing import USERS, registry

DRAWERS, draws = registry()


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
