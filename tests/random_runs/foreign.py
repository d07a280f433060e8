"""Jobs of the same user that are not rv's: their names resemble those of runs, and their IDs were a run's before."""
import random
import re
import subprocess
import threading

SCRIPT = """#!/bin/bash
exec 2>/dev/null
trap 'echo "$SLURM_JOB_ID $SLURM_JOB_NAME term" >>"{log}"; exit 143' TERM
echo "$SLURM_JOB_ID $SLURM_JOB_NAME start" >>"{log}"
for ((i = 0; i < {seconds}; i++)); do sleep 1 & wait $!; done
echo "$SLURM_JOB_ID $SLURM_JOB_NAME end" >>"{log}"
"""


def refused_launches(logs):
    """IDs of jobs that slurmd cancelled before their start. `logs`: the folder of Slurm's logs.

    A controller that was killed can give out an ID again whose job still runs. slurmd launches no second job of that ID: it cancels
    one that may not be requeued, which ends whichever job of that ID is on the node, and says so.
    """
    found = set()
    for log in logs.glob("slurmd.*.log"):
        found |= set(re.findall(r"Could not launch (?:JobId=|job )(\d+).* cancelling job", log.read_text(errors="replace")))
    return found


class ForeignJobs(threading.Thread):
    """Submits one job every `pause` seconds, some of them held for a while, until stopped."""

    def __init__(self, log, environment, seed, pause=2.0):
        super().__init__(daemon=True)
        self.log, self.environment, self.pause = log, environment, pause
        self.dice = random.Random(f"foreign.{seed}")
        self.names = ["plain@abcdef.1", "train"]  # resembled, the newest last
        self.submitted, self.stopping = 0, threading.Event()
        self.held = []

    def resemble(self, name, run):
        self.names.append(self.dice.choice([name, f"{name}@{run[:-1]}", f"{name}@{run}x.1", f"{name}-{run}.1", f"x{name}@{run}"]))

    def call(self, *arguments, text=None):
        return subprocess.run(arguments, input=text, env=self.environment, capture_output=True, text=True, timeout=60, check=False)

    def submit_one(self):
        hold = ["--hold"] if self.dice.random() < 0.4 else []
        script = SCRIPT.format(log=self.log, seconds=self.dice.choice([2, 5, 20, 60]))
        name = self.dice.choice(self.names[-6:])
        done = self.call("sbatch", "--parsable", "-p", "foreign", "--mem=10", "--no-requeue", "-o", "/dev/null", "-J", name, *hold, text=script)
        if done.returncode == 0:
            self.submitted += 1
            if hold:
                self.held.append(done.stdout.strip())
        while len(self.held) > 8:
            self.call("scontrol", "release", self.held.pop(0))

    def run(self):
        while not self.stopping.wait(self.pause):
            try:
                self.submit_one()
            except subprocess.TimeoutExpired:
                pass  # the controller is away

    def finish(self):
        """Releases what is held and returns how many jobs did not end by themselves."""
        self.stopping.set()
        self.join()
        for job in self.held:
            self.call("scontrol", "release", job)

    def touched(self, logs):
        """Jobs that were cancelled, by their own record or by accounting's. Nothing in the test cancels one. `logs`: Slurm's."""
        refused = refused_launches(logs)
        try:
            with open(self.log, encoding="utf-8") as log:
                own = [line.split() for line in log if line.endswith(" term\n")]
        except FileNotFoundError:
            own = []
        rows = self.call("sacct", "-X", "-n", "-P", "-D", "-a", "-S", "now-1day", "-r", "foreign", "-o", "jobid,jobname,state,submit,end").stdout
        return sorted({f"{job} {name}" for job, name, _ in own if job not in refused} | {row for row in rows.splitlines() if "|CANCELLED" in row and row.split("|")[0] not in refused})
