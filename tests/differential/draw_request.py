"""One request, as options of rv plan and as options of sbatch."""


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
    if draw.whole.random() < 0.1:
        rv.append("--exclusive")
        sbatch.append("--exclusive")
    if draw.whole.random() < 0.1:
        rv[rv.index("--mem") + 1] = "0"
        sbatch = ["--mem=0" if word.startswith("--mem=") else word for word in sbatch]
    for name, value in draw.options.items():
        rv += [f"--{name}", value]
        sbatch += [f"--{name}={value}"]
    if "sbatch --nodelist" in draw.keys and draw.chance(0.4):
        name, node = draw.one("nodelist", "exclude"), draw.node()
        rv += [f"--{name}", node]
        sbatch += [f"--{name}={node}"]
    return {"user": draw.one(*draw.askers), "rv": rv, "sbatch": sbatch}
