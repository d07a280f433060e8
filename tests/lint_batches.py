#!/usr/bin/env python3
"""Files of one folder that are compiled alike, read together: a linter's time goes into the headers, once a batch.

usage: lint_batches.py FOLDER <sources    FOLDER holds compile_commands.json

Writes FOLDER/batches/N.cpp, each including up to 24 sources, and their compile commands to FOLDER/batches/. Prints a line a
batch: its file, then its sources, by tabs. Names in nameless namespaces meet in a batch: two sources that define the same
one are kept apart, as far as they can be told from the text; a batch that does not compile is the caller's to take apart.
"""

import json
import os
import re
import shlex
import sys

MOST = 24


def own_names(text):
    """What a source defines for itself alone: at the left edge within `namespace {`, and its aliases."""
    names = set(re.findall(r"^(?:using|namespace) (\w+) =", text, re.M))
    for body in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S):
        for line in body.splitlines():
            found = re.match(r"(?:struct|class|enum class|enum) (\w+)", line) or (
                re.match(r"[A-Za-z\[]", line) and re.search(r"(\w+)(?:\(|\{| =|;|\[\])", line)
            )
            if found:
                names.add(found.group(1))
    return names


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
    batches = []
    for entry in sorted(entries, key=lambda entry: entry["file"]):
        source = entry["file"]
        with open(source, encoding="utf-8") as file:
            names = own_names(file.read())
        alike = tuple(flags(entry["command"], source))
        for batch in batches:
            if batch["alike"] == alike and len(batch["sources"]) < MOST and not names & batch["names"]:
                break
        else:
            batch = {"alike": alike, "sources": [], "names": set(), "directory": entry["directory"]}
            batches.append(batch)
        batch["sources"].append(source)
        batch["names"] |= names
    os.makedirs(os.path.join(folder, "batches"), exist_ok=True)
    commands = []
    for number, batch in enumerate(batches):
        path = os.path.abspath(os.path.join(folder, "batches", f"{number}.cpp"))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f'#include "{source}"\n' for source in batch["sources"])
        words = [*batch["alike"], "-c", path]
        commands.append({"directory": batch["directory"], "file": path, "arguments": words})
        print("\t".join([path, *batch["sources"]]))
    with open(os.path.join(folder, "batches", "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file)


main()
