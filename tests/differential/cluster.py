"""One drawn cluster as a real Slurm, and what it does with a request."""
import json
import os
import pathlib
import pwd
import re
import shlex
import subprocess
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SANDBOX = ROOT / "examples/sandbox/sandbox"
BOOT_SECONDS = 120
SETTLE_SECONDS = 2.5  # nothing in the queue has changed for so long: a scheduler's and a backfill pass lie in it
STARTS_SECONDS = 15   # what is free now has started by then
WAITS_SECONDS = 6     # what has not started by then waits
OVER = ("COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY")
# What a job says that waits for the scheduler, for nodes or for its place in the queue.
QUEUED = ("None", "Resources", "Priority", "BeginTime", "Cleaning", "ReqNodeNotAvail", "Reservation", "Nodes required")


LIVE = set()  # clusters that must be taken down


class NoCluster(Exception):
    """The drawn cluster does not start."""


def queued(reason):
    return reason.strip("()").startswith(QUEUED)


def identity(user):
    entry = pwd.getpwnam(user)
    groups = os.getgrouplist(user, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": groups}


class Cluster:
    def __init__(self, folder, draw, rv, slurm=None, speed=1):
        self.folder, self.draw, self.rv, self.warm = folder, draw, rv, set()
        self.speed = speed  # of its clock; rv must be linked dynamically to be on a fast one
        self.sandbox = folder / "s"
        shape = folder / "shape.yaml"
        shape.write_text(yaml.safe_dump(json.loads(json.dumps(draw["shape"])), sort_keys=False), encoding="utf-8")
        self.up = ["up", "--shape", shape, *(["--slurm", slurm] if slurm else []),
                   *(["--speed", str(speed)] if speed != 1 else [])]
        self.environment = dict(PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL="C.UTF-8", TZ="UTC")

    def __enter__(self):
        LIVE.add(self)
        try:
            done = self.command(*self.up, seconds=BOOT_SECONDS)
        except subprocess.TimeoutExpired as error:
            self.__exit__()
            raise NoCluster("it does not start in time") from error
        if done.returncode != 0:
            self.__exit__()
            raise NoCluster(self.last_words() or done.stderr.strip()[-300:])
        env = self.command("run", "--", "env", "-0")
        self.environment = dict(line.split("=", 1) for line in env.stdout.split("\0") if "=" in line)
        for line in self.draw["commands"]:
            done = self.call("root", *shlex.split(line))
            if done.returncode != 0:
                self.__exit__()
                raise NoCluster(f"{line}: {(done.stdout + done.stderr).strip()[-300:]}")
        for user in self.draw["shape"]["users"]:
            entry = pwd.getpwnam(user)
            os.makedirs(self.folder / user, mode=0o700)
            os.chown(self.folder / user, entry.pw_uid, entry.pw_gid)
        (self.folder / "site.yaml").write_text(f"scratch: {self.folder}/scratch\nhead_start: 0\n", encoding="utf-8")
        time.sleep(1)  # accounting tells the controller
        self.start_load()
        return self

    def last_words(self):
        """Of the log that was written last."""
        logs = sorted((self.sandbox / "log").glob("*"), key=lambda path: path.stat().st_mtime)
        texts = [f"{path.name}: {path.read_text(errors='replace').strip()[-200:]}" for path in logs if path.stat().st_size]
        return " | ".join(texts[-3:])

    def require_controller(self):
        """Raises NoCluster where slurmctld has died: what its commands print then says nothing about Slurm's decision."""
        if "is UP" not in self.call("root", "scontrol", "ping").stdout:
            raise NoCluster(f"the controller no longer answers: {self.last_words()}")

    def __exit__(self, *_):
        self.command("down", seconds=60)
        LIVE.discard(self)

    def command(self, *arguments, seconds=60):
        first, *rest = arguments
        return subprocess.run([SANDBOX, first, "--dir", self.sandbox, *rest], env=self.environment, capture_output=True, text=True,
                              timeout=seconds, check=False)

    def call(self, user, *arguments, stdin=None, **environment):
        try:
            return subprocess.run(arguments, env={**self.environment, **environment}, capture_output=True, text=True, timeout=60,
                                  check=False, input=stdin, cwd="/", **identity(user))
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 124, "", "timed out")

    # --- jobs

    def submit(self, user, options, header=""):
        script = f"#!/bin/bash\n{header}\nsleep {600 if self.speed == 1 else 1_000_000}\n"
        return self.call(user, "sbatch", "--parsable", "-o", "/dev/null", "-e", "/dev/null", *options, stdin=script)

    def states(self):
        rows = self.call("root", "squeue", "-h", "-r", "-t", "all", "-o", "%i|%T|%r").stdout.splitlines()
        return {row.split("|")[0]: tuple(row.split("|")[1:3]) for row in rows if row.count("|") >= 2}

    def start_load(self):
        previous = "1"
        for job in self.draw["load"]:
            done = self.submit(job["user"], [word.replace("PREVIOUS", previous) for word in job["options"]])
            if done.returncode == 0:
                previous = done.stdout.strip().split(";")[0]
        self.settle()

    def settle(self):
        until, since, before = time.monotonic() + 30, time.monotonic(), None
        while time.monotonic() < until:
            now = self.states()
            if now != before:
                before, since = now, time.monotonic()
            if time.monotonic() - since > SETTLE_SECONDS and not any("COMPLETING" in state for state, _ in now.values()):
                return
            time.sleep(0.3)

    def outcome(self, user, options, header, expects_start):
        """What Slurm does with it: (started | refused | queued | held, Slurm's words)."""
        done = self.submit(user, options, header)
        if done.returncode != 0:
            self.require_controller()
            return "refused", done.stderr.strip()
        job = done.stdout.strip().split(";")[0]
        began, state, reason = time.monotonic(), "PENDING", "None"
        while time.monotonic() - began < (STARTS_SECONDS if expects_start else WAITS_SECONDS):
            row = self.call("root", "squeue", "-h", "-t", "all", "-j", job, "-o", "%T|%r").stdout.strip()
            if not row:
                self.require_controller()
                continue
            state, _, reason = row.partition("|")
            if state != "PENDING" or (not queued(reason) and time.monotonic() - began > 4):
                break
            time.sleep(0.3)
        self.call("root", "scancel", job)
        self.settle()
        if state == "PENDING":
            return ("queued" if queued(reason) else "held"), reason
        return "started", state

    def now(self):
        """By the cluster's clock."""
        return float(self.call("root", "date", "+%s.%N").stdout)

    def starts_of(self, due):
        """By job: when it started by the cluster's clock, or None if it has not by the time in `due`, and the reason."""
        found = {}
        while len(found) < len(due):
            now = self.now()
            rows = self.call("root", "squeue", "-h", "-t", "all", "-o", "%i|%T|%S|%r", SLURM_TIME_FORMAT="%s").stdout
            for job, state, began, reason in (row.split("|", 3) for row in rows.splitlines() if row.count("|") >= 3):
                if job not in due or job in found:
                    continue
                if state != "PENDING":
                    found[job] = float(began) if began.isdigit() else None, state
                elif now > due[job]:
                    found[job] = None, reason
            time.sleep(0.5)
        return found

    # --- rv

    def rv_plan(self, user, words):
        own = self.folder / user
        return self.call(user, self.rv, "plan", "--json", *words, HOME=str(own), NO_COLOR="1", RV_HOME=str(own / "home"),
                         RV_SITE=str(self.folder / "site.yaml"))

    def plan(self, request):
        """The plan, once the limits are known: on a busy machine accounting answers behind the first plan. On a fast clock it
        never answers in time; limits are not drawn there."""
        user = request["user"]
        until = time.monotonic() + 30
        while self.speed == 1 and user not in self.warm and time.monotonic() < until:
            self.rv_plan(user, request["rv"])
            if list((self.folder / user / "home/cache").glob("limits-*")):
                self.warm.add(user)
            else:
                time.sleep(1)
        self.warm.add(user)  # a cluster that shows this user no partition has no limits either
        done = self.rv_plan(user, request["rv"])
        if done.returncode in (121, 124):
            self.require_controller()
        try:
            return json.loads(done.stdout), done
        except json.JSONDecodeError:
            return None, done


def header_of(script):
    """The directives of a script that rv wrote, without those that name its run folder."""
    lines = [line for line in script.splitlines() if line.startswith("#SBATCH")]
    return "\n".join(line for line in lines if not re.match(r"#SBATCH (--output|--error|--chdir|--open-mode|--signal|--begin)", line))
