#!/usr/bin/env python3
"""Asks for '4 GPUs, any type, 30 minutes' at many moments of a busy day on a real Slurm; notes when each strategy starts.

usage: measure.py RV OUT.jsonl [--seed N] [--hours H] [--warm-up H] [--after H] [--every MINUTES] [--speed N]
                               [--patience SECONDS] [--load FACTOR] [--habits projects|independent]
                               [--dir SANDBOX] [--realtime]

Starts a sandbox of the shape afton24 with wait_accuracy's seeded load. At each moment rv plans on a snapshot of that
moment, with accounting's finished jobs; then every strategy of the plan is submitted, each as one job. All parties that
table.py compares choose among these same jobs, so none is measured at a better moment than another.

So that the attempts disturb the day, and each other, as little as can be, a job ends as soon as it has started: it
gives the GPUs back, and the next strategy's job may start on them in the scheduler's next pass. What has not started when
the patience is over is cancelled. The limits of that: a started attempt would really have kept its GPUs for half an
hour, so the day is a little emptier than with real work; strategies that wait for the same nodes stand in one queue, so the
later one may start some scheduler passes too late; and rv's own time (plan, submission, start gate) is left out,
because on the fast clock it would count sixtyfold. All of this is the same for all parties.

RV is the usual static rv, which lives in real time; the driver puts the cluster's time into each snapshot.
"""

import argparse
import heapq
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../wait_accuracy"))
import history  # noqa: E402
import load  # noqa: E402
import record_day  # noqa: E402
import table  # noqa: E402

SITE = os.path.join(HERE, "../../../examples/sites/rivanna.yaml")
USERS = [("daemon", "lab"), ("bin", "bio"), ("root", "other")]
ASKED = ["-g", "4", "--time", "30m"]


class Attempts:
    def __init__(self, cluster, rv, home, options):
        self.cluster, self.rv, self.home, self.options = cluster, rv, home, options
        os.chmod(home, 0o711)
        os.makedirs(f"{home}/out")
        os.chmod(f"{home}/out", 0o1777)
        self.output = f"{home}/out/%u"
        self.moments, self.late = [], []

    def rv_text(self, user, *words):
        environment = {"USER": user, "RV_HOME": self.home, "RV_SITE": SITE}
        for _ in range(3):
            done = self.cluster.ask(self.rv, *words, env=environment)
            if done.returncode == 0:
                return done.stdout
        raise RuntimeError(f"rv {' '.join(words)}: {done.stderr}")

    def plan(self, user, account, begin):
        file = os.path.join(self.home, "snapshot.json")
        self.rv_text(user, "cluster", "--save", file)
        with open(file, encoding="utf-8") as text:
            snapshot = json.load(text)
        snapshot["taken_at"] = round(self.cluster.now())
        # The attempts of earlier moments end at once: they tell nothing of anybody's work.
        rows = [row for row in self.cluster.finished(begin).splitlines() if row.split("|")[1] not in dict(USERS)]
        snapshot["history"] = history.finished_jobs("\n".join(rows))
        with open(file, "w", encoding="utf-8") as text:
            json.dump(snapshot, text)
        words = [*ASKED, "--account", account, "--dry-run", "--trials", "64", "--cluster", file, "--json"]
        return json.loads(self.rv_text(user, "up", *words))["strategies"]

    def moment(self, begin):
        user, account = USERS[len(self.moments) % len(USERS)]
        strategies = []
        # Work that is cut into segments is another thing than four GPUs for half an hour.
        for strategy in (one for one in self.plan(user, account, begin) if one["kind"] == "plain"):
            words = record_day.sbatch_words(strategy, user, account, f"attempt-{len(self.moments)}", self.output, "true")
            job = int(record_day.submit(self.cluster, ["--parsable", *words]))
            strategies.append({"type": strategy["gpu_type"], "nodes": strategy["nodes"], "rank": strategy["rank"], "races": strategy["races"],
                         "cost_su": strategy["cost_su"], "free_now": strategy["wait"]["basis"] == "free now",
                         "p50_s": strategy["wait"]["p50_s"], "job": job, "submitted": round(self.cluster.now()),
                         "start": None})
        self.moments.append({"at": round(self.cluster.now() - begin), "strategies": strategies})
        return [str(strategy["job"]) for strategy in strategies]

    def collect(self, begin):
        rows = {}
        for row in self.cluster.finished(begin).splitlines():
            columns = dict(zip(history.ACCOUNTING.split(","), row.split("|")))
            rows[columns["JobIDRaw"]] = columns
        for strategy in (strategy for moment in self.moments for strategy in moment["strategies"]):
            columns = rows.get(str(strategy["job"]), {})
            if columns.get("Submit", "").isdigit():
                strategy["submitted"] = int(columns["Submit"])
            # A job that was cancelled while it waited has a start in some releases, but nothing allocated.
            if columns.get("Start", "").isdigit() and columns.get("AllocTRES"):
                strategy["start"] = int(columns["Start"])


def busier(types, factor):
    """load.py's types with so many times the offered load."""
    return {name: (*facts[:-1], facts[-1] * factor) for name, facts in types.items()}


def run_day(attempts, options):
    cluster, begin = attempts.cluster, attempts.cluster.now() + 60
    end = (options.warm_up + options.hours) * load.HOUR
    events, at = record_day.calendar(options)
    when = options.warm_up * load.HOUR
    while when < end:
        at(when, "moment")
        when += options.every * 60
    while events:
        when, _, what, words = heapq.heappop(events)
        if when > end + options.after * load.HOUR:
            break
        cluster.wait_until(begin + when)
        attempts.late.append(cluster.now() - begin - when)
        if what == "other":
            record_day.submit(cluster, record_day.sbatch_words(*words, attempts.output))
        elif what == "cancel":
            cluster.ask("scancel", "-t", "PENDING", *words[0])
        else:
            at(cluster.now() - begin + options.patience, "cancel", attempts.moment(begin))
            print(f"{when / load.HOUR:6.1f} h: {len(attempts.moments)} moments, {attempts.late[-1]:.0f} s late",
                  flush=True)
    return begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rv")
    parser.add_argument("out")
    for name, value in (("seed", 21), ("speed", 60), ("every", 15), ("patience", 7200)):
        parser.add_argument("--" + name, type=int, default=value)
    for name, value in (("hours", 10.0), ("warm-up", 2.5), ("after", 2.0), ("load", 1.0)):
        parser.add_argument("--" + name, type=float, default=value)
    parser.add_argument("--dir", default="", help="the sandbox's folder")
    parser.add_argument("--habits", choices=load.HABITS, default=load.HABITS[0], help="how like one's own jobs are")
    parser.add_argument("--realtime", action="store_true", help="driver, daemons and jobs go before all else here")
    options = parser.parse_args()
    record_day.open_null_to_all()
    load.TYPES = busier(load.TYPES, options.load)
    folder = options.dir or record_day.new_folder("rv-time-to-gpu-")
    if options.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    cluster = record_day.Cluster(folder, "afton24", options.speed)
    try:
        with tempfile.TemporaryDirectory() as home:
            attempts = Attempts(cluster, os.path.abspath(options.rv), home, options)
            begin = run_day(attempts, options)
            attempts.collect(begin)
            version = cluster.ask("sinfo", "--version").stdout.strip()
    finally:
        cluster.down()
    with open(options.out, "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(moment, separators=(",", ":")) + "\n" for moment in attempts.moments))
    late = [record_day.percentile(attempts.late, share) for share in (0.5, 0.99)]
    said = subprocess.run([options.rv, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{said}, {version}, afton24, seed {options.seed}, load {options.load}, speed {options.speed}, "
          f"{len(attempts.moments)} moments, driver late P50 {late[0]} s, P99 {late[1]} s")
    print(table.table(attempts.moments, options.seed, options.patience), end="")


if __name__ == "__main__":
    main()
