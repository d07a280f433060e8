#!/usr/bin/env python3
"""What nobody can know on a real cluster: how long each recorded job might have run, by the load's own chances.

usage: habits.py DAY > FILE          then: score_waits DAY --habits FILE

Makes DAY's load again from its seed, and trials each job's run time anew, many times, as the load drew it: from its
project's first run, its spread, its owner's failures. One line a job: its ID, and the run times as shares of its limit.
With these in place of what rv learns from accounting, the score is the one that no better knowledge of run times could
pass by much: what is left is chance.
"""

import gzip
import json
import random
import sys

import history
import load
import record_day

DRAWS = 100


def remembered():
    """Every Person and Project that make_load makes, by name."""
    people, projects = {}, {}

    def keeping(cls, store):
        plain = cls.__init__

        def init(self, *args, **kwargs):
            plain(self, *args, **kwargs)
            store[self.name] = self

        cls.__init__ = init

    keeping(load.Person, people)
    keeping(load.Project, projects)
    return people, projects


def shares(rng, job, people, projects):
    """Run times of one job over its limit."""
    for _ in range(DRAWS):
        person = people[job.user]
        run = projects[job.name].run_s(rng, person) if job.name else person.run_s(rng, job.limit_s)
        run = min(run, job.limit_s)
        # Those that fill the cluster at the beginning have a part of their lives behind them.
        yield (max(30, run * rng.random()) if job.at == 0 else run) / job.limit_s


def scored_shares(rng, limit_s):
    return (load.scored_run_s(rng, limit_s) / limit_s for _ in range(DRAWS))


def main():
    with open(f"{sys.argv[1]}/day.json", encoding="utf-8") as file:
        facts = json.load(file)
    people, projects = remembered()
    hours = facts["warm_up_hours"] + facts["hours"] + facts["after_hours"]
    jobs = {record_day.name_of(job, number): job
            for number, job in enumerate(load.make_load(facts["seed"], hours, facts["habits"]))}
    rng = random.Random(1)
    columns = history.ACCOUNTING.split(",")
    with gzip.open(f"{sys.argv[1]}/accounting.gz", "rt") as rows:
        for row in rows:
            one = dict(zip(columns, row.rstrip("\n").split("|")))
            if one["JobName"] in jobs:
                weights = shares(rng, jobs[one["JobName"]], people, projects)
            else:
                weights = scored_shares(rng, history.span_s(one["Timelimit"]))
            print(one["JobIDRaw"], *(f"{share:.4f}" for share in weights))


if __name__ == "__main__":
    sys.exit(main())
