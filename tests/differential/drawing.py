"""What the functions that draw work on: a drawn cluster that grows, and the list of such functions."""
import random

USERS = ["games", "man"]


def registry():
    """An empty list, and the decorator @draws(KEY...) that appends a function and the keys that it draws."""
    drawers = []

    def draws(*keys):
        def register(function):
            drawers.append((keys, function))
            return function

        return register

    return drawers, draws


class Draw:
    def __init__(self, seed, release=(22, 5)):
        self.random = random.Random(seed)
        self.cpus_only = random.Random(f"cpus only {seed}")  # apart: the same seed draws the same cluster as before
        self.whole = random.Random(f"whole nodes {seed}")  # the same
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
