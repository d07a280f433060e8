"""Draws a cluster, a load and requests from a seed.

A draw is plain data, so that it can be reduced and kept as a case:

    shape      what examples/sandbox takes (shapes/tiny.yaml explains it)
    commands   sacctmgr and scontrol lines once the cluster is up
    load       jobs that come before the requests: user, options of sbatch
    requests   what is asked: user, options of rv plan, and the options of sbatch for the same request
    keys       the keys of slurm.conf, sacctmgr and sbatch that were drawn
"""
import re

import draw_limits
import draw_load
import draw_nodes
import draw_partitions
import draw_scheduling
import draw_waiting_jobs
from draw_load import load
from draw_request import request
from draw_waiting_jobs import waiting_load
from drawing import Draw

# A seed draws by position in this list: in another order it draws another cluster.
DRAWERS = (draw_nodes.DRAWERS + draw_partitions.DRAWERS + draw_limits.DRAWERS + draw_waiting_jobs.DRAWERS
           + draw_scheduling.DRAWERS + draw_load.DRAWERS)


def known_keys():
    return sorted({key for keys, _ in DRAWERS for key in keys})


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
