#!/usr/bin/env python3
"""Compares rv's plans with what a real Slurm does, on clusters, loads and requests drawn from seeds.

usage: run.py SEED COUNT [--slurm DIR] [--lanes N] [--all] [--reduce] [--keep FOLDER] [--only REGEX]
       run.py SEED COUNT --starts SPEED [--slurm DIR]
       run.py --cases [NAME…] [--slurm DIR]
       run.py --keys

Prints each mismatch and a table: property, compared, held, rejected by both for reasons that differ, open (nothing was claimed,
or Slurm did not get so far) and wrong. --all prints the "other" and "open" ones too. --reduce removes what a mismatch does not need, one thing after the
other, and writes the rest to FOLDER as a case. --only draws only keys that match (--keys lists them). --cases compares those in
cases/. The exit code is 1 after a mismatch. --starts waits for predicted starts (P4) on clusters whose clock is that many times as
fast. --requests takes only the first requests of each cluster, --without leaves seeds out. RV is the
binary (default: build/cli/rv). Needs root.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import yaml

sys.dont_write_bytecode = True
import draw as draws
import reduction
from cluster import LIVE, ROOT, Cluster, NoCluster
from compare import PROPERTIES, compare, compare_starts

HERE = pathlib.Path(__file__).resolve().parent


class Trial:
    """Starts clusters and compares; every one in a folder of its own."""

    def __init__(self, slurm, rv, speed=1):
        self.slurm, self.rv, self.speed = slurm, rv, speed

    def compare_all(self, draw):
        """Comparisons, or the text why there is no cluster."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="rvd", dir="/tmp"))
        os.chmod(folder, 0o755)
        try:
            with Cluster(folder, draw, self.rv, self.slurm, self.speed) as cluster:
                if self.speed != 1:
                    return compare_starts(cluster, draw["requests"])
                return [compare(cluster, request) for request in draw["requests"]]
        except NoCluster as error:
            return str(error)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def print_table(counts, broken):
    print(f"{'property':<84} {'compared':>8} {'held':>6} {'other':>6} {'open':>6} {'explained':>9} {'wrong':>6}")
    for name, words in PROPERTIES.items():
        columns = [counts[name, verdict] for verdict in ("held", "other", "open", "explained", "wrong")]
        print(f"{name} {words:<81} {sum(columns):>8}" + "".join(f" {column:>{9 if i == 3 else 6}}" for i, column in enumerate(columns)))
    if broken:
        print(f"{broken} clusters did not start")


COUNTS = collections.Counter()  # by property and verdict


def run_seeds(trial, drawn, lanes, keep, stop_early):
    broken, mismatches = 0, []
    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        for draw, found in zip(drawn, pool.map(trial.compare_all, drawn)):
            if isinstance(found, str):
                broken += 1
                print(f"seed {draw['seed']}: no cluster ({', '.join(draw['keys'])}): {found}", flush=True)
                continue
            for comparison in found:
                COUNTS[comparison.property, comparison.verdict] += 1
                if comparison.verdict == "wrong":
                    mismatches.append((draw, comparison))
                if comparison.verdict == "wrong" or (stop_early and comparison.verdict != "held"):
                    print(f"seed {draw['seed']}: {comparison}\n  keys: {', '.join(draw['keys'])}", flush=True)
    print_table(COUNTS, broken)
    if keep:
        for number, (draw, comparison) in enumerate(mismatches):
            reduced = reduction.reduce(trial, draw, comparison)
            path = keep / f"seed{draw['seed']}-{number}.yaml"
            path.write_text(yaml.safe_dump(reduced, sort_keys=False), encoding="utf-8")
            print(f"reduced: {path}", flush=True)
    return 1 if mismatches or broken else 0


def release_of(slurm):
    """(26, 5) of /opt/slurm-26.05.3, or of the machine's own Slurm."""
    text = slurm or subprocess.run(["slurmctld", "-V"], capture_output=True, text=True, check=True).stdout
    return tuple(int(number) for number in re.search(r"(\d+)\.(\d+)\.\d+", text).groups())


def release_number(text):
    return tuple(int(number) for number in text.split("."))


def value_for(release, value):
    """What Slurm does: one word, or by the first release that does so: {"22.05": refused, "26.05": started}."""
    if isinstance(value, str):
        return value
    since = {release_number(first): word for first, word in value.items()}
    return since[max(first for first in since if first <= release)]


def run_cases(trial, names, lanes):
    wrong = 0
    release = release_of(trial.slurm)
    paths = [path for path in sorted((HERE / "cases").glob("*.yaml")) if not names or path.stem in names]
    cases = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths]
    pairs = [(path, case) for path, case in zip(paths, cases) if release >= release_number(case.get("since", "20.11"))]
    paths, cases = [path for path, _ in pairs], [case for _, case in pairs]
    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        for path, case, found in zip(paths, cases, pool.map(trial.compare_all, cases)):
            if isinstance(found, str):
                wrong += 1
                print(f"{path.stem}: no cluster: {found}", flush=True)
                continue
            for comparison, request in zip(found, case["requests"]):
                expected = value_for(release, request["slurm"])
                right = comparison.truth[0] == expected
                held = comparison.verdict == "held"
                wrong += not (right and held)
                if not (right and held):
                    print(f"{path.stem}: {'' if right else f'Slurm should have {expected}: '}{comparison}", flush=True)
            print(f"{path.stem}: compared {len(found)}", flush=True)
    return 1 if wrong or not cases else 0


def give_up(*_):
    """Prints what was compared so far. Nothing of the clusters stays behind."""
    if COUNTS:
        print_table(COUNTS, 0)
        sys.stdout.flush()
    for cluster in list(LIVE):
        cluster.__exit__()
        shutil.rmtree(cluster.folder, ignore_errors=True)
    os._exit(1)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("seed", type=int, nargs="?")
    parser.add_argument("count", type=int, nargs="?", default=1)
    parser.add_argument("--slurm")
    parser.add_argument("--lanes", type=int, default=3)
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--cases", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--keys", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--starts", type=int, default=1)
    parser.add_argument("--requests", type=int)
    parser.add_argument("--without", type=int, nargs="*", default=[])
    words = parser.parse_args()
    if words.keys:
        print("\n".join(draws.known_keys()))
        return 0
    signal.signal(signal.SIGTERM, give_up)
    signal.signal(signal.SIGINT, give_up)
    trial = Trial(words.slurm, os.path.abspath(os.environ.get("RV", ROOT / "build/cli/rv")), words.starts)
    if words.cases is not None:
        return run_cases(trial, words.cases, words.lanes)
    if words.seed is None:
        parser.error("a seed is needed")
    seeds = [seed for seed in range(words.seed, words.seed + words.count) if seed not in words.without]
    release = release_of(words.slurm)
    drawn = [draws.draw_cluster(seed, release, words.only) if words.starts == 1 else draws.draw_waits(seed, release) for seed in seeds]
    if words.requests:
        drawn = [{**draw, "requests": draw["requests"][:words.requests]} for draw in drawn]
    return run_seeds(trial, drawn, words.lanes, words.keep if words.reduce else None, words.all)


if __name__ == "__main__":
    sys.exit(main())
