#!/usr/bin/env python3
"""Checks that each source is compiled as its own unit: a name of one source must not change the meaning of another.

usage: own_units.py BUILD_FOLDER    a configured build folder, for its compile_commands.json

A compiled file is a source of the repository or a file that rv_embed writes, which holds bytes only; no source includes
another source; no source is compiled from a build folder that combines several.
"""

import json
import os
import re
import subprocess
import sys

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SOURCE = (".cpp", ".cu", ".cc", ".cxx", ".c")
HEADER = (".h", ".cuh", ".inc")
INCLUDED_SOURCE = re.compile(r'^\s*#\s*include\s*["<]([^">]+\.(?:cpp|cu|cc|cxx|c))[">]', re.M)


def compiled(build):
    """Absolute paths of the files that the build compiles."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return [os.path.join(entry["directory"], entry["file"]) for entry in json.load(file)]


def faults_of_build(paths, tracked):
    """`tracked`: paths of the repository's sources."""
    own = {os.path.join(root, name) for name in tracked}
    # A precompiled header is compiled from a source and a header that CMake writes.
    generated = re.compile(r".*(_embedded\.cpp|/cmake_pch\.hxx\.cxx)$")
    return [f"{path}: a compiled file is a source of the repository, not a file that combines several"
            for path in sorted(set(paths) - own) if not generated.match(path)]


def faults_of_includes(texts):
    """`texts`: the text of each source and header."""
    return [f"{name} includes {included}: each source is compiled on its own"
            for name, text in texts.items() for included in INCLUDED_SOURCE.findall(text)]


def text_of(name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    files = [name for name in listed if name.endswith(SOURCE + HEADER) and os.path.exists(os.path.join(root, name))]
    paths = compiled(sys.argv[1])
    if len(paths) < 100 or len(files) < 100:
        sys.exit(f"own_units.py: {len(paths)} compiled files and {len(files)} sources are too few to be all")
    faults = faults_of_build(paths, files) + faults_of_includes({name: text_of(name) for name in files})
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
