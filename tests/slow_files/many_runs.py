"""Makes folders of runs that ended, unless they are there: many_runs.py RV_HOME COUNT."""

import json
import os
import sys
import time

home, count = sys.argv[1], int(sys.argv[2])
now = int(time.time())
letters = "abcdefghjkmnpqrstvwxyz23456789"


def id_of(number):
    name = ""
    for _ in range(6):
        number, digit = divmod(number, len(letters))
        name += letters[digit]
    return name


for number in range(count):
    run = id_of(number)
    folder = f"{home}/runs/{run}"
    if os.path.exists(folder):
        continue
    for name in ("candidates/1", "jobs", "ledger", "elements", "chain", "logs", "output", "checkpoint"):
        os.makedirs(f"{folder}/{name}", mode=0o700)
    ended = now - 7200 - number * 60
    record = {
        "version": 2, "id": run, "name": f"train-{number % 500}", "hold": False, "command": ["python3", "train.py"],
        "work_folder": "/home/me/project", "host": "login1", "cluster": "c", "created": ended - 3600,
        "created_ns": number, "head_start_s": 0, "requeue": False, "candidates": [],
    }
    with open(f"{folder}/run.json", "w") as file:
        json.dump(record, file)
    with open(f"{folder}/events.jsonl", "w") as file:
        for event, job in (("created", None), ("submitted", 4000 + number)):
            line = {"time": ended - 3600, "event": event, "candidate": 1}
            if job:
                line["job_id"] = job
            file.write(json.dumps(line) + "\n")
    with open(f"{folder}/ledger/1", "w") as file:
        file.write(f'outcome 1 0 0 0 done 0 login1 {ended} token - {{"detail":""}}\n')
    with open(f"{folder}/logs/n1.out", "w") as file:
        file.write("loss 0.1\n")
    for path in (f"{folder}/ledger/1", f"{folder}/ledger"):
        os.utime(path, (ended, ended))
