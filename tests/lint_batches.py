#!/usr/bin/env python3
"""Files of one folder that are compiled alike, read together: a linter's time goes into the headers, once a batch.

usage: lint_batches.py FOLDER <sources    FOLDER holds compile_commands.json

Writes FOLDER/batches/N.cpp, each including up to 24 sources, and their compile commands to FOLDER/batches/. Prints a line a
batch: its file, then its sources, by tabs. A batch that does not compile (cmake/together.py) is the caller's to take apart.
"""

import json
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cmake"))
import together  # noqa: E402

MOST = 24


def flags(command, source):
    """The command without its input and output: who has the same is compiled alike."""
    words = shlex.split(command)
    kept, skip = [], False
    for word in words:
        if skip or word in ("-o", "-c"):
            skip = word == "-o"
            continue
        if os.path.basename(word) != os.path.basename(source):
            kept.append(word)
    return kept


def main():
    folder = sys.argv[1]
    wanted = {os.path.abspath(line.strip()) for line in sys.stdin if line.strip()}
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if entry["file"] in wanted]
    by_source = {entry["file"]: entry for entry in sorted(entries, key=lambda entry: entry["file"])}

    def alike(source):
        return tuple(flags(by_source[source]["command"], source))

    batches = together.batches(by_source, MOST, alike)
    os.makedirs(os.path.join(folder, "batches"), exist_ok=True)
    commands = []
    for number, batch in enumerate(batches):
        path = os.path.abspath(os.path.join(folder, "batches", f"{number}.cpp"))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f'#include "{source}"\n' for source in batch)
        words = [*alike(batch[0]), "-c", path]
        commands.append({"directory": by_source[batch[0]]["directory"], "file": path, "arguments": words})
        print("\t".join([path, *batch]))
    with open(os.path.join(folder, "batches", "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file)


main()
