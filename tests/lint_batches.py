#!/usr/bin/env python3
"""Files of one folder that are compiled alike, read together: a linter's time goes into the headers, once a batch.

usage: lint_batches.py FOLDER <sources    FOLDER holds compile_commands.json

Writes FOLDER/batches/N.cpp, each including up to 48 sources, and their compile commands to FOLDER/batches/. Prints a line a
batch: its file, then its sources, by tabs. A batch that does not compile (cmake/together.py) is the caller's to take apart.
"""

import json
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cmake"))
import together  # noqa: E402

MOST = 48


def flags(command):
    """What a command says of the language, and where it looks for headers. Who has the same of the former is read together: not
    what the command reads and writes counts, nor what makes a program quick or small."""
    words = iter(shlex.split(command)[:-1])  # the source comes last
    kept, folders = [], []
    for word in words:
        if word == "-o":
            next(words)
        elif word == "-isystem":
            folders.append(word + next(words))
        elif word.startswith("-I"):
            folders.append(word)
        elif word != "-c" and not re.match(r"-O|-ffp-contract=|-ffunction-sections", word):
            kept.append(word)
    return kept, folders


def names(text):
    """Of two programs the main functions meet, too."""
    return together.own_names(text) | ({"main": None} if re.search(r"^int main\(", text, re.M) else {})


def main():
    folder = sys.argv[1]
    wanted = {os.path.abspath(line.strip()) for line in sys.stdin if line.strip()}
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if entry["file"] in wanted]
    by_source = {entry["file"]: entry for entry in sorted(entries, key=lambda entry: entry["file"])}

    by_flags = {source: flags(entry["command"]) for source, entry in by_source.items()}
    # Where any of them looks: whether each finds its headers by its own words is the compiler's to say.
    folders = list(dict.fromkeys(folder for _, own in by_flags.values() for folder in own))

    def alike(source):
        return tuple(by_flags[source][0])

    batches = together.batches(by_source, MOST, alike, names)
    os.makedirs(os.path.join(folder, "batches"), exist_ok=True)
    commands = []
    for number, batch in enumerate(batches):
        path = os.path.abspath(os.path.join(folder, "batches", f"{number}.cpp"))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f'#include "{source}"\n' for source in batch)
        words = [*alike(batch[0]), *folders, "-c", path]
        commands.append({"directory": by_source[batch[0]]["directory"], "file": path, "arguments": words})
        print("\t".join([path, *batch]))
    with open(os.path.join(folder, "batches", "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file)


main()
