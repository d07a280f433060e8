#!/usr/bin/env python3
"""Records a day of a real, busy Slurm, with what each of three parties said about waits and what then happened.

usage: record_day.py RV OUT [--seed N] [--hours H] [--warm-up H] [--count N] [--speed N] [--dir SANDBOX]
                                [--habits projects|independent] [--requests open|fixed] [--realtime]

Starts a sandbox of the shape afton24, submits the load of load.py, and `count` scored jobs: of each request, the strategy that
`rv up` would submit first, knowing the snapshot and what accounting showed until then. Of open requests, half leave the
type to rv, and all the number of nodes; in fixed ones the load has drawn both. RV is the usual static rv: it lives in
real time, so that its deadlines are real ones; this driver puts the moment into each snapshot, and the history. OUT gets

  day.json              how it was recorded, and how well Slurm and this driver kept up
  submissions.jsonl     one scored job a line: the request, the strategy and the wait that rv predicted, what `sbatch --test-only`
                        said right before, what `squeue --start` said after the first backfill passes, when it really
                        started
  snapshots.jsonl.gz    `rv cluster --save` right before each scored submission, as a merge patch (RFC 7386) on the one
                        before; nodes and jobs are objects by name and ID instead of lists
  accounting.gz         sacct's rows of the whole day, in rv's own format
  priorities.jsonl.gz   sshare of everybody and sprio of the user's jobs at each scored submission

All times are the cluster's. The driver itself lives in real time and reckons the cluster's from the clock's start.
"""

import argparse
import gzip
import heapq
import itertools
import json
import os
import re
import shlex
import stat
import subprocess
import sys
import tempfile
import time

import history
import load

HERE = os.path.dirname(os.path.abspath(__file__))
SANDBOX = os.path.join(HERE, "../../../examples/sandbox/sandbox")
SHARES = "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare"


class Cluster:
    """One sandbox: its environment, and its clock reckoned from the real one."""

    def __init__(self, folder, shape, speed):
        subprocess.run([SANDBOX, "up", "--dir", folder, "--shape", shape, "--speed", str(speed)], check=True)
        self.folder, self.speed = folder, speed
        printed = subprocess.run([SANDBOX, "env", "--dir", folder], check=True, capture_output=True, text=True).stdout
        pairs = [shlex.split(line)[1].split("=", 1) for line in printed.splitlines()]
        self.env = {**os.environ, **dict(pairs), "LC_ALL": "C", "SLURM_TIME_FORMAT": "%s", "SLURM_BITSTR_LEN": "0"}
        # The clock is linear: the least difference seen is the one with the least start-up time in it.
        self.offset = min(self.one_offset() for _ in range(10))

    def one_offset(self):
        output = subprocess.run(["date", "+%s.%N"], env=self.env, check=True, capture_output=True, text=True).stdout
        return float(output) - time.time() * self.speed

    def now(self):
        return time.time() * self.speed + self.offset

    def wait_until(self, when):
        time.sleep(max(0.0, (when - self.now()) / self.speed))

    def ask(self, *argv, env=None):
        everything = {**self.env, **(env or {})}
        return subprocess.run(argv, env=everything, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def finished(self, begin):
        """sacct's rows since the day's beginning."""
        since = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(begin - 3600))
        return self.ask("sacct", "-a", "-X", "-P", "-n", "-S", since, "-o", history.ACCOUNTING).stdout

    def down(self):
        subprocess.run([SANDBOX, "down", "--dir", self.folder], check=True)


# ---- one submission by anybody ---------------------------------------------------------------------


def sbatch_words(job, name, output):
    """A plain job of the background."""
    words = ["--parsable", "--uid=" + job.user, "-A", job.account, "-J", name, "-p", job.partitions, "-N", str(job.nodes),
             "--ntasks-per-node=1", f"--cpus-per-task={job.cpus}", f"--gres={job.gres}", f"--mem={job.memory_mb}M",
             "-t", str(max(1, job.limit_s // 60)), "-D", "/tmp", "-o", output]
    return words + (["--array=" + job.array] if job.array else []) + ["--wrap", f"sleep {job.run_s}"]


def sbatch_words(strategy, user, account, name, output, command):
    """One strategy of rv's plan, as a plain job."""
    return ["--uid=" + user, "-A", account, "-J", name, "-p", strategy["partition"], "-N", str(strategy["nodes"]),
            "--ntasks-per-node=1", f"--cpus-per-task={strategy['cpus_per_node']}",
            f"--gres=gpu:{strategy['gres_type']}:{strategy['gpus_per_node']}", f"--mem={strategy['mem_per_node_mb']}M",
            "-t", str(strategy["time_limit_s"] // 60), "-D", "/tmp", "-o", output, "--wrap", command]


def submit(cluster, words):
    for _ in range(3):
        done = cluster.ask("sbatch", *words)
        if done.returncode == 0:
            return done.stdout.strip()
    raise RuntimeError(f"sbatch {' '.join(words)}: {done.stderr}")


# ---- what the three parties say --------------------------------------------------------------------


def keyed(snapshot):
    return {**snapshot, "nodes": {node.pop("name"): node for node in snapshot["nodes"]},
            "jobs": {job.pop("id"): job for job in snapshot.get("jobs", [])}}


def patch(old, new):
    """The merge patch that makes `new` of `old`; nothing when they are equal."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    changes = {key: None for key in old if key not in new}
    for key, value in new.items():
        if key not in old:
            changes[key] = value
        elif old[key] != value:
            changes[key] = patch(old[key], value)
    return changes


def test_only(cluster, words):
    """The start that `sbatch --test-only` names, or its refusal."""
    text = cluster.ask("sbatch", "--test-only", *words).stderr
    found = re.search(r"Job \d+ to start at (\d+)", text)
    return {"start": int(found.group(1))} if found else {"refusal": text.strip()[-200:]}


class Day:
    def __init__(self, cluster, rv, home):
        self.cluster, self.rv, self.home = cluster, rv, home
        # Not /dev/null, which a container may keep from other users.
        os.chmod(home, 0o711)
        os.makedirs(f"{home}/out")
        os.chmod(f"{home}/out", 0o1777)
        self.output = f"{home}/out/%u"
        self.submissions, self.patches, self.priorities = [], [], []
        self.last, self.lags, self.took, self.again = {}, [], [], 0

    def rv_text(self, user, *words):
        # Programs on the fast clock die at their start once in some thousand times: asked again.
        for _ in range(3):
            done = self.cluster.ask(self.rv, *words, env={"USER": user, "RV_HOME": self.home})
            if done.returncode == 0:
                return done.stdout
            self.again += 1
        raise RuntimeError(f"rv {' '.join(words)}: {done.stderr}")

    def first_strategy(self, user, request, snapshot):
        """The plain job that rv would submit first; CPUs, memory and what was left open are rv's own choice."""
        file = os.path.join(self.home, "known.json")
        with open(file, "w", encoding="utf-8") as text:
            json.dump(snapshot, text)
        words = ["-g", str(request["gpus"]), "--time", str(request["time_s"] // 60) + "m", "--account", request["account"]]
        words += ["-t", request["type"]] if request["type"] else []
        words += ["--nodes", str(request["nodes"]), "--splits", "all"] if request["nodes"] else []
        plan = self.rv_text(user, "plan", *words, "--trials", "64", "--json", "--cluster", file)
        return next(strategy for strategy in json.loads(plan)["strategies"] if strategy["kind"] == "plain")

    def scored(self, user, request, run, begin):
        rows = self.cluster.finished(begin)
        begun = time.time()
        file = os.path.join(self.home, "snapshot.json")
        self.rv_text(user, "cluster", "--save", file)
        taken_at = round(self.cluster.now())
        with open(file, encoding="utf-8") as text:
            snapshot = {**json.load(text), "taken_at": taken_at}
        strategy = self.first_strategy(user, request, {**snapshot, "history": history.finished_jobs(rows)})
        words = sbatch_words(strategy, user, request["account"], f"scored-{len(self.submissions)}", self.output, f"sleep {run}")
        tested = test_only(self.cluster, words)
        job = submit(self.cluster, ["--parsable", *words])
        submitted = self.cluster.now()
        self.took.append((time.time() - begun) * self.cluster.speed)
        snapshot = keyed(snapshot)
        self.patches.append(patch(self.last, snapshot))
        self.last = snapshot
        shares = self.cluster.ask("sshare", "-a", "-P", "-n", "-o", SHARES)
        factors = self.cluster.ask("sprio", "-h", "-u", user, "-o", "%i|%r|%Y|%A|%F|%J|%P|%Q|%N")
        self.priorities.append({"sshare": shares.stdout, "sprio": factors.stdout})
        wait = {name: strategy["wait"][name] for name in ("p10_s", "p50_s", "p90_s")}
        chosen = {"type": strategy["gpu_type"], "nodes": strategy["nodes"], "partition": strategy["partition"], "wait": wait}
        self.submissions.append({"job": int(job), "user": user, "request": request, "strategy": chosen,
                                 "submitted": round(submitted), "run_s": run, "test_only": tested, "squeue_start": None})
        return self.submissions[-1]

    def ask_start(self, one):
        """`squeue --start` for a job that still waits. False: no plan for it yet, ask again."""
        answer = self.cluster.ask("squeue", "--start", "-h", "-j", str(one["job"]), "-o", "%T|%S")
        state, _, start = answer.stdout.strip().partition("|")
        if state == "PENDING" and not start.isdigit():
            return False
        asked = round(self.cluster.now())
        prediction = {"start": int(start)} if state == "PENDING" else {"started": True}
        one["squeue_start"] = {"asked": asked, **prediction}
        return True

    def waiting(self):
        listed = self.cluster.ask("squeue", "-h", "-t", "PENDING", "-o", "%i").stdout.split()
        return {one["job"] for one in self.submissions} & {int(job) for job in listed if job.isdigit()}


def name_of(job, number):
    """Unlike any other's, and alike but for digits within a project."""
    return f"{job.name}-{number}" if job.name else f"once-{load.letters(number + 1)}"


def calendar(options):
    """A heap of (time, order, what, words) with the background load's submissions, and what adds to it."""
    events, order = [], itertools.count(1)

    def at(when, what, *words):
        heapq.heappush(events, (when, next(order), what, words))

    hours = options.warm_up + options.hours + options.after
    for number, job in enumerate(load.make_load(options.seed, hours, options.habits)):
        at(job.at, "other", job, name_of(job, number))
    return events, at


def run_day(day, options):
    """The loop: events by the cluster's time."""
    cluster, begin = day.cluster, day.cluster.now() + 60
    end = (options.warm_up + options.hours) * load.HOUR
    events, at = calendar(options)
    for when, *scored in load.make_requests(options.seed, options.warm_up * load.HOUR, end, options.count,
                                            options.requests):
        at(when, "scored", *scored)
    while events:
        when, _, what, words = heapq.heappop(events)
        if when > end + options.after * load.HOUR:
            break
        cluster.wait_until(begin + when)
        late = cluster.now() - begin - when
        if what == "other":
            day.lags.append(late)
            submit(cluster, sbatch_words(*words, day.output))
        elif what == "scored":
            one = day.scored(*words, begin)
            at(cluster.now() - begin + 75, "start", one, 0)
        elif not day.ask_start(words[0]) and words[1] < 60:
            at(cluster.now() - begin + (60 if words[1] < 20 else 300), "start", words[0], words[1] + 1)
        if what == "scored" and len(day.submissions) % 10 == 0:
            print(f"{when / load.HOUR:6.1f} h: {len(day.submissions)} scored, this driver {late:.0f} s late", flush=True)
        if when > end and len(day.submissions) == options.count and not day.waiting():
            break
    return begin


def collect(day, begin):
    """Real starts, from accounting."""
    rows = day.cluster.finished(begin)
    names = history.ACCOUNTING.split(",")
    by_id = {}
    for row in rows.splitlines():
        columns = dict(zip(names, row.split("|")))
        by_id[columns["JobIDRaw"]] = columns
    for one in day.submissions:
        columns = by_id.get(str(one["job"]), {})
        for key in ("Start", "End"):
            text = columns.get(key, "")
            one[key.lower()] = int(text) if text.isdigit() else None
        one["state"] = columns.get("State", "")
        if columns.get("Submit", "").isdigit():
            one["submitted"] = int(columns["Submit"])  # the controller's own word
    return rows


def packed(path, text):
    with open(path, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as file:
        file.write(text.encode())


def write(folder, day, rows, facts):
    os.makedirs(folder, exist_ok=True)
    def lines(items):
        return "".join(json.dumps(item, separators=(",", ":")) + "\n" for item in items)

    packed(f"{folder}/snapshots.jsonl.gz", lines(day.patches))
    packed(f"{folder}/priorities.jsonl.gz", lines(day.priorities))
    packed(f"{folder}/accounting.gz", rows)
    with open(f"{folder}/submissions.jsonl", "w", encoding="utf-8") as file:
        file.write(lines(day.submissions))
    with open(f"{folder}/day.json", "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=2)
        file.write("\n")


def percentile(values, share):
    ordered = sorted(values) or [0.0]
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def new_folder(prefix):
    """For a sandbox; everybody's jobs must come to its task prolog."""
    parent = tempfile.mkdtemp(prefix=prefix)
    os.chmod(parent, 0o711)
    return parent + "/sandbox"


def open_null_to_all():
    """Jobs of other users write to /dev/null, which a container may keep from them: then again from the start, with
    an open one in a mount namespace of our own. The machine's stays as it is."""
    if os.stat("/dev/null").st_mode & 0o666 == 0o666:
        return
    node = tempfile.mktemp(prefix="rv-day-null-")
    os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    os.chmod(node, 0o666)
    again = f"mount --bind {node} /dev/null && rm {node} && exec \"$@\""
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", again, "sh", sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rv")
    parser.add_argument("out")
    for name, value in (("seed", 1), ("count", 220), ("speed", 60)):
        parser.add_argument("--" + name, type=int, default=value)
    for name, value in (("hours", 24.0), ("warm-up", 4.0), ("after", 6.0)):
        parser.add_argument("--" + name, type=float, default=value)
    parser.add_argument("--dir", default="", help="the sandbox's folder")
    parser.add_argument("--habits", choices=load.HABITS, default=load.HABITS[0], help="how like one's own jobs are")
    parser.add_argument("--requests", choices=load.REQUESTS, default=load.REQUESTS[0], help="what is left to rv")
    # A second of waiting for other work is a minute of the cluster's. Nice values would count only inside a session.
    parser.add_argument("--realtime", action="store_true", help="driver, daemons and jobs go before all else here")
    options = parser.parse_args()
    open_null_to_all()
    folder = options.dir or new_folder("rv-day-")
    if options.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    cluster = Cluster(folder, "afton24", options.speed)
    try:
        with tempfile.TemporaryDirectory() as home:
            day = Day(cluster, os.path.abspath(options.rv), home)
            begin = run_day(day, options)
            rows = collect(day, begin)
            facts = {"shape": "afton24", "seed": options.seed, "habits": options.habits, "requests": options.requests,
                     "speed": options.speed, "hours": options.hours,
                     "warm_up_hours": options.warm_up, "after_hours": options.after, "begin": round(begin), "scored": len(day.submissions),
                     "started": sum(one["start"] is not None for one in day.submissions),
                     "driver_late_s": {"p50": percentile(day.lags, 0.5), "p99": percentile(day.lags, 0.99)},
                     "snapshot_to_submission_s": {"p50": percentile(day.took, 0.5), "p99": percentile(day.took, 0.99)},
                     "asked_again": day.again,
                     "slurm": cluster.ask("sinfo", "--version").stdout.strip()}
            write(options.out, day, rows, facts)
            print(json.dumps(facts))
            with open(f"{options.out}.sdiag", "w", encoding="utf-8") as file:
                file.write(cluster.ask("sdiag").stdout)
    finally:
        cluster.down()


if __name__ == "__main__":
    sys.exit(main())
