#!/usr/bin/env python3
"""A thousand runs watched by one client, on a running sandbox: CPU, memory, Slurm commands, the controller's RPCs, and
how long rv ps takes.

usage: eval "$(examples/sandbox/sandbox env)"; tests/bench/watch_load.py build/cli/rv build/tests/bench/watch_load [RUNS]

Each run has a real job of its own, held, so that it waits for as long as the measurement takes.
"""

import concurrent.futures
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

SECONDS = 120
LETTERS = "abcdefghjkmnpqrstuvwxyz"


def rpcs():
    """Messages the controller has served, by type; those of sdiag itself left out."""
    text = subprocess.run(["sdiag"], capture_output=True, text=True, check=True).stdout
    by_type = text.split("Remote Procedure Call statistics by message type")[1].split("Remote Procedure")[0]
    counts = {name: int(count) for name, count in re.findall(r"^\s+(\w+)\s.*?count:(\d+)", by_type, re.M)}
    counts.pop("REQUEST_STATS_INFO", None)
    return counts


def make_run(runs, number):
    """A run as rv leaves it once its one candidate is in the queue."""
    run = "".join(random.choice(LETTERS) for _ in range(6))
    folder = os.path.join(runs, run)
    for sub in ("candidates/1", "jobs", "ledger", "elements", "logs", "output", "checkpoint"):
        os.makedirs(os.path.join(folder, sub))
    job_name = f"load{number}@{run}.1"
    job = subprocess.run(["sbatch", "--parsable", "-H", "-J", job_name, "-t", "10", "--mem=100M", "-o", "/dev/null",
                          "--wrap", "true"], capture_output=True, text=True, check=True, cwd=folder).stdout.strip()
    now = int(time.time()) - 60
    record = {"version": 2, "id": run, "name": f"load{number}", "hold": False,
              "command": ["python3", "train.py", "--epochs", "100"], "work_folder": "/", "host": "login",
              "cluster": "afton", "created": now, "created_ns": 0, "head_start_s": 1.0, "requeue": False, "candidates": [
                  {"number": 1, "job_name": job_name, "summary": "4× A40 on gpu-a40", "gpu_type": "a40", "gpus": 4,
                   "nodes": 1, "partition": "gpu-a40", "free_now": False, "time_limit_s": 1800, "cost_su": 37.3}]}
    events = [{"time": now, "event": "created"}, {"time": now, "event": "intent", "candidate": 1},
              {"time": now, "event": "submitted", "candidate": 1, "job_id": int(job)}]
    with open(os.path.join(folder, "events.jsonl"), "w") as file:
        file.writelines(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
    with open(os.path.join(folder, "run.json"), "w") as file:
        json.dump(record, file, indent=1)


def timed(argv):
    begun = time.monotonic()
    subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - begun


def main():
    rv, watch_load = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    with tempfile.TemporaryDirectory(prefix="rv-load-") as home:
        os.environ["RV_HOME"] = home
        runs = os.path.join(home, "runs")
        os.makedirs(runs)
        try:
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda number: make_run(runs, number), range(count)))
            ps = statistics.median(timed([rv, "ps"]) for _ in range(5))
            bare = statistics.median(timed(["squeue", "-a", "--me", "-h", "-r", "-t", "all", "-o", "%i|%j|%T"])
                                     for _ in range(5))
            before = rpcs()
            report = json.loads(subprocess.run([watch_load, runs, str(SECONDS)], capture_output=True, text=True,
                                               check=True).stdout)
            after = rpcs()
        finally:
            subprocess.run(["scancel", "--me"], check=False)
    own = report["cpu_s"] / report["wall_s"]
    both = own + report["cpu_of_slurm_commands_s"] / report["wall_s"]
    print(f"{'what':44}{'figure':>12}{'limit':>12}")
    for what, figure, limit in (
            ("runs watched", f"{report['runs']}", ""),
            ("polls", f"{len(report['looks_at_s'])}", ""),
            ("Slurm commands", f"{report['slurm_commands']}", f"{len(report['looks_at_s'])}"),
            ("last interval", f"{report['looks_at_s'][-1] - report['looks_at_s'][-2]} s", "30 s"),
            ("slowest look", f"{report['slowest_look_ms']:.0f} ms", ""),
            ("CPU of the watcher, of one core", f"{own:.2%}", "1%"),
            ("  with the Slurm commands it starts", f"{both:.2%}", ""),
            ("largest memory", f"{report['largest_rss_mb']:.0f} MB", "50 MB"),
            ("rv ps", f"{ps * 1000:.0f} ms", "200 ms"),
            ("  the squeue in it", f"{bare * 1000:.0f} ms", "")):
        print(f"{what:44}{figure:>12}{limit:>12}")
    print(f"RPCs in {report['wall_s']:.0f} s: " + ", ".join(
        f"{name} {count - before.get(name, 0)}" for name, count in sorted(after.items()) if count > before.get(name, 0)))
    print(f"polls at {', '.join(str(at) for at in report['looks_at_s'])} s")


if __name__ == "__main__":
    main()
