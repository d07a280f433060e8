#!/usr/bin/env python3
"""Holds docs/slurm-releases.md to the keys that are drawn: a limit or flag that the page claims must be in run.py --keys.

usage: check_page.py
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import draw

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/slurm-releases.md"
ROWS = ("| budgets (", "| limits that jobs share (")  # their first column lists keys
FLAGS = r"Of the flags of a QOS the plan knows (.*?)\.\n"


def claimed(page):
    for line in page.splitlines():
        if line.startswith(ROWS):
            yield from re.findall(r"`(\w+)`", line.split("|")[1])
    yield from re.findall(r"[A-Z]\w+", re.search(FLAGS, page, re.S).group(1))


def main():
    keys = {key.split()[-1] for key in draw.known_keys()} | set(draw.QOS_FLAGS)
    names = list(claimed(PAGE.read_text(encoding="utf-8")))
    missing = [name for name in names if name not in keys]
    for name in missing:
        print(f"{PAGE.name} claims {name}, which tests/differential/draw.py does not draw")
    if len(names) < 20:
        print(f"{PAGE.name}: only {len(names)} keys found; have its rows changed?")
    return 1 if missing or len(names) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
