#!/usr/bin/env python3
"""What rv costs its user and the controller, beside the bare Slurm commands it needs, on a running sandbox.

usage: eval "$(examples/sandbox/sandbox env)"; tests/bench/client.py build/cli/rv

Slurm commands are counted by stand-ins in PATH that note their name and then become the real one; RPCs by sdiag.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SLURM = ["scontrol", "squeue", "sbatch", "scancel", "sacct", "sacctmgr", "srun", "sinfo", "sprio", "sshare"]
# What a plan has to ask, as anybody would type it.
BARE = [
    ["scontrol", "-o", "-d", "show", "node"],
    ["scontrol", "-o", "show", "partition"],
    ["scontrol", "show", "config"],
    ["scontrol", "-o", "show", "reservation"],
    ["squeue", "-h", "-t", "PENDING,RUNNING", "-O", "JobID,Partition,tres-alloc,TimeLimit,State,Reason"],
    ["sacctmgr", "-n", "-P", "show", "qos"],
    ["sacctmgr", "-n", "-P", "show", "assoc", "user=root"],
]


def seconds(argv, env=None):
    begun = time.monotonic()
    subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - begun


def rpcs():
    """Messages the controller has served, those of sdiag itself left out."""
    text = subprocess.run(["sdiag"], capture_output=True, text=True, check=True).stdout
    by_type = text.split("Remote Procedure Call statistics by message type")[1].split("Remote Procedure")[0]
    return sum(int(count) for name, count in re.findall(r"^\s+(\w+)\s.*?count:(\d+)", by_type, re.M)
               if name != "REQUEST_STATS_INFO")


def counting_env(folder):
    """An environment in which every Slurm command leaves a line in folder/log."""
    for name in SLURM:
        path = os.path.join(folder, name)
        with open(path, "w") as script:
            script.write(f'#!/bin/sh\necho {name} >>"{folder}/log"\nexec {shutil.which(name)} "$@"\n')
        os.chmod(path, 0o755)
    return dict(os.environ, PATH=folder + ":" + os.environ["PATH"])


def quiet():
    """Waits until no job is left, so that one measurement's jobs are not counted in the next."""
    while subprocess.run(["squeue", "-h", "-t", "PD,R,CG,CF"], capture_output=True, text=True, check=True).stdout:
        time.sleep(0.2)
    time.sleep(1)


def costs(argv, env, log):
    quiet()
    open(log, "w").close()
    before = rpcs()
    taken = seconds(argv, env)
    quiet()
    # the two loops of quiet() ask squeue themselves: measured alone, then taken off
    served = rpcs() - before
    begun = rpcs()
    quiet()
    return taken, len(open(log).readlines()), max(0, served - (rpcs() - begun))


def main():
    rv = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as shims:
        os.environ["RV_HOME"] = home
        env = counting_env(shims)
        log = os.path.join(shims, "log")
        dry_run = [rv, "up", "--gpu", "4", "--time", "30m", "--dry-run"]
        follow = [rv, "run", "-g", "4", "--time", "5m", "-f", "hostname"]

        version = statistics.median(seconds([rv, "--version"]) for _ in range(50))
        warm, cold, bare = [], [], []
        for _ in range(15):  # in turn, so that a busy moment falls on all
            shutil.rmtree(os.path.join(home, "cache"), ignore_errors=True)  # the limits that rv keeps for ten minutes
            cold.append(seconds(dry_run))
            warm.append(seconds(dry_run))
            bare.append(sum(seconds(argv) for argv in BARE))
        first, dry, asked = statistics.median(cold), statistics.median(warm), statistics.median(bare)
        shutil.rmtree(os.path.join(home, "cache"))
        _, dry_commands, dry_rpcs = costs(dry_run, env, log)
        runs = []
        for _ in range(5):
            quiet()
            runs.append(seconds(follow))
        _, run_commands, run_rpcs = costs(follow, env, log)

        print(f"{'what':44} {'figure':>12} {'limit':>12}")
        print(f"{'rv --version':44} {version * 1000:9.1f} ms {'5 ms':>12}")
        print(f"{'rv up --dry-run, limits not known yet':44} {first * 1000:9.0f} ms")
        print(f"{'  the Slurm commands it needs, one by one':44} {asked * 1000:9.0f} ms")
        print(f"{'  ratio':44} {first / asked:12.2f} {'1.3':>12}")
        print(f"{'rv up --dry-run, limits known':44} {dry * 1000:9.0f} ms")
        print(f"{'  ratio':44} {dry / asked:12.2f} {'1.3':>12}")
        print(f"{'  Slurm commands, sacctmgr behind it included':44} {dry_commands:12} {'7':>12}")
        print(f"{'  RPCs':44} {dry_rpcs:12}")
        print(f"{'rv run -g 4 -f hostname, start to finish':44} {statistics.median(runs) * 1000:9.0f} ms")
        print(f"{'  Slurm commands':44} {run_commands:12}")
        print(f"{'  RPCs, those of the job itself included':44} {run_rpcs:12} {'20':>12}")


if __name__ == "__main__":
    main()
