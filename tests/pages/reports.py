#!/usr/bin/env python3
"""An acceptance's folder as workers leave it, of as many nodes and GPUs as are asked for; rv accept --judge reads it.

usage: reports.py FOLDER NODES GPUS [--slow NODE:GPU]… [--late NODE]…   (--late: small messages take longer there)"""
import argparse
import json
import os
import random

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("nodes", type=int)
parser.add_argument("gpus", type=int)
parser.add_argument("--slow", action="append", default=[])
parser.add_argument("--late", action="append", default=[])
asked = parser.parse_args()
chance = random.Random(7)
model = "NVIDIA H200"
suites = ["health", "compute", "p2p", "collective", "train"]
products = {"gemm_fp64": 55.0, "gemm_fp32": 51.2, "gemm_tf32": 349, "gemm_fp16": 665, "gemm_bf16": 683, "gemm_fp8": 1230}
memory = {"copy": 4274, "scale": 4275, "add": 4311, "triad": 4294}
sizes = [8 * 8**i for i in range(6)] + [1 << i for i in range(20, 34)]


def near(value, by=0.006):
    return value * (1 + by * (2 * chance.random() - 1))


def figure(suite, name, gpu, value, unit, **params):
    return {"kind": "measurement", "suite": suite, "name": name, "gpu": gpu, "value": value,
            "spread": None if value is None else value * 0.003, "unit": unit, "params": params, "verdict": "pass",
            "reason": "", "rank": None}


def write(node, step, environment, figures, seconds):
    folder = os.path.join(asked.folder, "reports", node, step)
    os.makedirs(folder, exist_ok=True)
    lines = [{"kind": "environment", "host": node, **environment}, *figures, {"kind": "result", "verdict": "pass"}]
    with open(os.path.join(folder, "worker.jsonl"), "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    with open(os.path.join(asked.folder, "reports", node, "steps.jsonl"), "a") as file:
        file.write(json.dumps({"step": step, "began": 1795380896}) + "\n")
        file.write(json.dumps({"step": step, "exit_code": 0, "seconds": seconds}) + "\n")


everyone = {"index": "all", "uuid": None, "model": "all ranks"}


def collective(node, late):
    figures = []
    for operation, top, least in (("all_reduce", 365, 8.2), ("all_gather", 347, 9.5), ("reduce_scatter", 347, 10),
                                  ("broadcast", 359, 9), ("alltoall", 338, 9.1), ("sendrecv", 358, 7.7)):
        for size in sizes:
            time = near(least * (late if size < 1 << 20 else 1) + size / (top * 1e3))
            figures.append(figure("collective", f"{operation} fp32 {size}", everyone, size / time / 1e3, "GB/s",
                                  collective=operation, type="fp32", bytes=size, in_place=False, time_us=time))
    return figures


def matrix(ranks, speed):
    return [[None if a == b else near(speed) for b in range(ranks)] for a in range(ranks)]


names = [f"gpu{i + 1:02}" for i in range(asked.nodes)]
several = asked.gpus > 1
for node in names:
    gpus = [{"index": i, "uuid": f"GPU-{node}-{i}", "model": model} for i in range(asked.gpus)]
    plain = {"cuda_driver": "13.0", "cuda_runtime": "13.0", "cublaslt": "13.1.0", "gpus": gpus}
    health = {"driver": "580.159.04", "versions": {"cuda_driver": "13.0", "nccl": "2.28.9"},
              "readings": [{**gpu, "numbers": {"nvlinks_active": 18}} for gpu in gpus]}
    looks = [figure("health", what, gpu, None, "") for gpu in gpus for what in ("xid", "ecc", "pcie", "throttling")]
    write(node, "health-before", health, looks, 1.2)
    compute, link = [], []
    for gpu in gpus:
        slowed = 0.6 if f"{node}:{gpu['index']}" in asked.slow else 1
        compute += [figure("gemm", name, gpu, near(value * slowed), "TFLOP/s") for name, value in products.items()]
        compute += [figure("bandwidth", name, gpu, near(value), "GB/s") for name, value in memory.items()]
        link += [figure("link", name, gpu, near(55.4), "GB/s") for name in ("h2d", "d2h")]
    write(node, "compute", plain, compute, 60.4)
    write(node, "compute-link", plain, link, 9.1)
    ranks = {**plain, "library": "nccl", "ranks": [{"rank": i, "host": node, "gpu": i, **gpu} for i, gpu in enumerate(gpus)]}
    if several:
        pairs = figure("p2p", "p2p one way", everyone, 260, "GB/s", bytes=67108864, matrix=matrix(asked.gpus, 260))
        write(node, "p2p", ranks, [pairs], 12.5)
        write(node, "collective", ranks, collective(node, 3 if node in asked.late else 1), 95.3)
    if asked.nodes > 1:
        alone = node == names[0]
        pairs = figure("p2p", "p2p one way", everyone, 48, "GB/s", bytes=67108864,
                       matrix=matrix(min(asked.nodes * asked.gpus, 64), 48))
        write(node, "p2p-all-nodes", ranks, [pairs] if alone else [], 30.2)
        write(node, "collective-all-nodes", ranks, collective(node, 2) if alone else [], 120.9)
    losses = [near(1.4 * 0.95**i + 0.2, 0.03) for i in range(48)]
    learnt = figure("train", "train", gpus[0], 0.42, "", steps=48, losses=losses,
                    step_milliseconds=[near(0.31, 0.05) for _ in losses])
    write(node, "train", plain, [learnt], 2.2)
    write(node, "health-after", health, looks, 1.1)
with open(os.path.join(asked.folder, "order.json"), "w") as file:
    json.dump({"nodes": asked.nodes, "gpus_per_node": asked.gpus, "full": False, "device": "auto", "suites": suites}, file)
