"""Keys of nodes: GPUs, cores, memory, weight, features and states."""
from drawing import registry

DRAWERS, draws = registry()


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
