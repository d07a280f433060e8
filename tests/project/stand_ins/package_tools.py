#!/usr/bin/env python3
"""Stands in for uv, micromamba, mamba, conda and pixi, under whose names it is called: takes those of their documented options
that rv may use and no others, and makes an empty environment where the real one would. What it was called with goes to
$TOOL_CALLS. Usage lines: docs.astral.sh/uv/reference/cli, mamba.readthedocs.io (user guide), docs.conda.io (commands/env/create),
pixi.prefix.dev (reference/cli/pixi/install)."""
import argparse
import os
import subprocess
import sys

tool = os.path.basename(sys.argv[0])
with open(os.environ["TOOL_CALLS"], "a") as calls:
    calls.write(" ".join([tool, *sys.argv[1:]]) + "\n")


def parse(words, *options, flags=(), needed=(), rest=0):
    parser = argparse.ArgumentParser(prog=tool, allow_abbrev=False)
    for option in options:
        parser.add_argument(*option.split("|"), dest=option.split("|")[0].strip("-").replace("-", "_"), action="append",
                            required=option in needed)
    for flag in flags:
        parser.add_argument(*flag.split("|"), action="store_true")
    if rest:
        parser.add_argument("rest", nargs=rest)
    return parser.parse_args(words)


def environment(folder, conda):
    if conda:
        os.makedirs(os.path.join(folder, "conda-meta"))
        os.makedirs(os.path.join(folder, "bin"))
        os.symlink("/usr/bin/python3", os.path.join(folder, "bin", "python"))
    else:
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", folder], check=True)


def readable(*paths):
    for path in paths:
        with open(path):
            pass


words = sys.argv[1:]
always_yes = any(os.environ.get(name) == "true" for name in ("CONDA_ALWAYS_YES", "MAMBA_ALWAYS_YES"))
if tool == "uv" and words[0] == "venv":
    environment(parse(words[1:], "--python|-p", rest=1).rest[0], False)
elif tool == "uv" and words[:2] == ["pip", "install"]:
    order = parse(words[2:], "--python|-p", "-r|--requirements", "--extra", needed=("--python|-p", "-r|--requirements"))
    readable(order.python[0], *order.r)
elif tool == "uv" and words[0] == "sync":
    order = parse(words[1:], "--project", "--python|-p", "--extra", flags=("--locked", "--no-install-workspace"))
    readable(order.project[0] + "/uv.lock", order.project[0] + "/pyproject.toml")
    environment(os.environ["UV_PROJECT_ENVIRONMENT"], False)
elif tool == "micromamba" and words[0] == "create":
    order = parse(words[1:], "--prefix|-p", "--file|-f", flags=("--yes|-y",), needed=("--prefix|-p", "--file|-f"))
    readable(*order.file)
    environment(order.prefix[0], True)
elif tool in ("mamba", "conda") and words[:2] == ["env", "create"]:
    order = parse(words[2:], "--prefix|-p", "--file|-f", needed=("--prefix|-p", "--file|-f"))
    if not always_yes:
        sys.exit(f"{tool} would ask")
    readable(*order.file)
    environment(order.prefix[0], True)
elif tool == "pixi" and words[0] == "install":
    order = parse(words[1:], "--manifest-path", flags=("--locked",), needed=("--manifest-path",))
    folder = os.path.dirname(order.manifest_path[0])
    readable(order.manifest_path[0], folder + "/pixi.lock")
    environment(folder + "/.pixi/envs/default", True)
else:
    sys.exit(f"{tool}: unknown command {words}")
