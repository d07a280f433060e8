#!/usr/bin/env python3
"""What jobs keep of 64 nodes with 8 GPUs each in an hour, and the results of a training, into a run's folder.

usage: curves.py RUN-FOLDER"""
import json
import math
import os
import random
import sys
import time

folder = sys.argv[1]
chance = random.Random(7)
now = int(time.time())
for node in range(64):
    with open(os.path.join(folder, "jobs", f"1.gpu{node:02}.gpus"), "w") as file:
        at = node % 5
        while at < 3600:
            for gpu in range(8):
                busy = 3 if (node, gpu) == (17, 5) else 88 + 10 * chance.random()
                file.write(f"{now + at}|gpu{node:02}|{gpu}, NVIDIA H200, {busy:.0f}, 90112, 143771, "
                           f"{5.5 * busy + 90:.2f}, 700.00, {35 + busy / 3:.0f}, 580.159.04, 1980\n")
            at += max(5, at // 100)
os.makedirs(os.path.join(folder, "output"), exist_ok=True)
steps = 4000
with open(os.path.join(folder, "output", "results.json"), "w") as file:
    json.dump({"model": "resnet50", "world_size": 512, "batch_size_per_gpu": 64, "global_batch_size": 32768,
               "total_samples": 32768 * steps, "throughput_samples_per_second": 1.6e6, "average_step_time_seconds": 0.0205,
               "backend": "nccl", "precision": "bf16",
               "losses": [7 * math.exp(-i / 900) + 1.1 + 0.1 * chance.random() for i in range(steps)],
               "step_seconds": [0.02 + 0.001 * chance.random() for _ in range(1000)],
               "load": {"seconds": [i / 2 for i in range(160)], "power_w": [680 + 15 * chance.random() for _ in range(160)],
                        "clock_sm_mhz": [1755 + chance.randrange(60) for _ in range(160)],
                        "temperature_c": [60 + i / 40 for i in range(160)]}}, file)
