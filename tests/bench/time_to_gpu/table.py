#!/usr/bin/env python3
"""How long four parties wait for the same GPUs, and what that costs: the table of a run of measure.py.

usage: table.py MOMENTS.jsonl [--seed N] [--patience SECONDS]

- rv's race: the strategies that `rv up --dry-run` marks as racing, and whichever starts first.
- best single type, in hindsight: of the single-node strategies, one for each type, the one that turned out to start first.
- random single type: one of those, by a seeded pick.
- the original's order: every strategy there is, all at once, and whichever starts first.

A strategy's wait is from its own submission to its start. Of equal waits the strategy higher in the plan counts. A party with no
start within the patience counts as a wait of that length without a cost, and has its own column. SU are those of the strategy that started,
for all of the time asked. Jobs: rv submits its first alone when the plan sees free nodes for it, and the others only
when that has not started within a second, which is a minute on the fast clock.
"""

import argparse
import json
import random
import sys

HEAD_START_S = 60


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def wait_of(strategy):
    """Seconds, or nothing for a strategy that did not start."""
    return None if strategy["start"] is None else max(0, strategy["start"] - strategy["submitted"])


def first_of(strategies, patience):
    """The strategy that started first, and its wait; (None, patience) when none did in time."""
    waits = ((wait_of(strategy), strategy["rank"], strategy) for strategy in strategies)
    started = [one for one in waits if one[0] is not None and one[0] <= patience]
    if not started:
        return None, patience
    wait, _, strategy = min(started, key=lambda one: one[:2])
    return strategy, wait


def single_types(moment):
    return [strategy for strategy in moment["strategies"] if strategy["nodes"] == 1]


def rv_race(moment, patience):
    racing = sorted((strategy for strategy in moment["strategies"] if strategy["races"]), key=lambda strategy: strategy["rank"])
    strategy, wait = first_of(racing, patience)
    alone = racing[0]["free_now"] and wait_of(racing[0]) is not None and wait_of(racing[0]) <= HEAD_START_S
    if alone:
        return racing[0], wait_of(racing[0]), 1
    return strategy, wait, len(racing)


def best_single(moment, patience):
    return (*first_of(single_types(moment), patience), 1)


def original(moment, patience):
    return (*first_of(moment["strategies"], patience), len(moment["strategies"]))


def parties(seed):
    rng = random.Random(seed)

    def random_single(moment, patience):
        strategies = sorted(single_types(moment), key=lambda strategy: strategy["type"])
        return (*first_of([rng.choice(strategies)], patience), 1)

    return {"rv's race": rv_race, "best single type, in hindsight": best_single, "random single type": random_single,
            "the original's order": original}


def summary(moments, party, patience):
    seen = [party(moment, patience) for moment in moments]
    waits = [wait for _, wait, _ in seen]
    costs = [strategy["cost_su"] for strategy, _, _ in seen if strategy is not None]
    return {"mean_s": sum(waits) / len(waits), "p90_s": percentile(waits, 0.9),
            "su": sum(costs) / len(costs) if costs else None, "jobs": sum(jobs for _, _, jobs in seen) / len(seen),
            "not_started": sum(strategy is None for strategy, _, _ in seen)}


def minutes(seconds):
    return f"{seconds / 60:.1f} min"


def table(moments, seed, patience):
    lines = ["| 4 GPUs for 30 minutes | mean wait | P90 wait | SU | jobs submitted | not started |",
             "| --- | --- | --- | --- | --- | --- |"]
    for name, party in parties(seed).items():
        row = summary(moments, party, patience)
        su = "unknown" if row["su"] is None else f"{row['su']:.1f}"
        lines.append(f"| {name} | {minutes(row['mean_s'])} | {minutes(row['p90_s'])} | {su} | {row['jobs']:.1f} | "
                     f"{row['not_started']} of {len(moments)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("moments")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=int, default=7200)
    options = parser.parse_args()
    with open(options.moments, encoding="utf-8") as file:
        moments = [json.loads(line) for line in file]
    if not moments:
        sys.exit(f"{options.moments}: no moments")
    print(table(moments, options.seed, options.patience), end="")


if __name__ == "__main__":
    main()
