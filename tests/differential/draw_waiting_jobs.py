"""Jobs before the requests of which some wait: for a held job, in a throttled array, or for GPUs."""
from drawing import USERS, registry

DRAWERS, draws = registry()


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
