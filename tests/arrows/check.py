#!/usr/bin/env python3
"""Checks the includes, and the list of folders in ARCHITECTURE.md, against include_rules.txt. usage: check.py [--list]

--list prints the list for ARCHITECTURE.md and checks nothing."""
import os
import re
import subprocess
import sys
from collections import defaultdict

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
most_modules = 22  # a folder's headers and sources, counted as pairs
# planner/ computes on values: what it includes, directly or through base/, must not bring in a clock, files, the environment or
# processes. Its .inc files are rows of data.
pure_headers = set(
    "algorithm array atomic bit charconv chrono cmath compare concepts cstddef cstdint exception functional initializer_list iterator "
    "limits map memory numeric optional queue random ratio set span stdexcept string string_view system_error thread tuple "
    "type_traits unordered_map unordered_set utility variant vector".split())
# Decoders without limits. Input from outside must be decoded by base/documents (shared/documents/document_excess.h).
decoders = re.compile(r"\b(\w+)::(parse|accept|sax_parse|from_\w+|Load\w*)\s*\(")
json_aliases = re.compile(r"using (\w+) = nlohmann::\w*json;")
# Integers without a check of their range: nlohmann's conversion of 1e300 is undefined (shared/documents/json_integer.h).
unchecked_integers = re.compile(
    r"""get(?:_to)?<(?:std::vector<)?(?:unsigned|short|int|long|pid_t|(?:std::)?(?:u?int\d+_t|size_t))\b[^>]*>+\(\)
        |(?<!&\ )\b(?:port|pid|code|count|number|rank|index|gpus|nodes)\s=\s\w+\.at\("\w+"\)[,;})]
        |static_cast<(?:int|long\ long|std::\w+)>\(member_number\b
        |value\("\w+",\ (?:-?\d+|std::u?int\d+_t\{\d+\}|std::vector<(?:int|std::u?int\d+_t)>\(\))\)""", re.X)
impure_words = re.compile(r"\b(system_clock|steady_clock|high_resolution_clock|random_device|getenv|current_zone)\b")


def read_rules():
    rules = {}
    with open(os.path.join(root, "tests/arrows/include_rules.txt")) as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                folder, _, uses = line.partition(":")
                rules[folder] = uses.split()
    return rules


def sources():
    """Returns the sources that are shipped. Tests and examples may include anything."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    return [name for name in listed if name.endswith((".h", ".cpp", ".cu", ".cuh")) and
            name.split("/")[0] not in ("tests", "examples", "cmake") and os.path.exists(os.path.join(root, name))]


def text_of(name):
    with open(os.path.join(root, name)) as file:
        return file.read()


def includes(name):
    return re.findall(r'^#include ["<](\S+)[">]', text_of(name), re.M)


def faults_of_arrows(rules, files):
    faults = []
    seen = []
    for folder, uses in rules.items():
        for used in uses:
            if used not in seen:
                faults.append(f"include_rules.txt: {folder} uses {used}, which is not listed above it")
        seen.append(folder)
    used_pairs = defaultdict(set)
    for name in files:
        folder = os.path.dirname(name)
        if folder not in rules:
            faults.append(f"{name}: its folder is not in include_rules.txt")
            continue
        for header in includes(name):
            used = os.path.dirname(header)
            if used == folder or used.split("/")[0] not in {r.split("/")[0] for r in rules}:
                continue
            used_pairs[folder].add(used)
            if used not in rules[folder]:
                faults.append(f"{name} includes {header}: {folder} may not use {used}")
    for folder, uses in rules.items():
        for used in uses:
            if used not in used_pairs[folder]:
                faults.append(f"include_rules.txt: {folder} may include {used}, but does not")
    return faults


def faults_of_size(files):
    modules = defaultdict(set)
    for name in files:
        modules[os.path.dirname(name)].add(os.path.splitext(os.path.basename(name))[0])
    return [f"{folder}/ has {len(names)} modules; a folder has {most_modules} at most"
            for folder, names in modules.items() if len(names) > most_modules]


def faults_of_purity(files):
    known = set(files)
    todo = [name for name in files if name.startswith("planner/")]
    looked = set(todo)
    faults = []
    while todo:
        name = todo.pop()
        # What planner includes of base/ is linked with its sources: they count as well.
        for header in includes(name):
            if header in known:
                for part in (header, header[:-2] + ".cpp"):
                    if part in known and part not in looked:
                        looked.add(part)
                        todo.append(part)
            elif header not in pure_headers and not (header.startswith("planner/") and header.endswith(".inc")):
                faults.append(f"{name} includes <{header}>: planner/ has only values")
        for word in sorted(set(impure_words.findall(text_of(name)))):
            faults.append(f"{name} uses {word}: planner/ receives time and random seeds as values")
    return faults


def faults_of_decoders(files):
    texts = {name: text_of(name) for name in files if not name.startswith(("base/documents/", "shared/documents/"))}
    types = {"json", "ordered_json", "basic_json", "YAML"}.union(*map(json_aliases.findall, texts.values()))
    return [f"{name} calls {type_name}::{call}(): base/documents decodes, within limits"
            for name, text in texts.items() for type_name, call in sorted(set(decoders.findall(text)))
            if type_name in types]


def faults_of_integers(files):
    return [f"{name} calls {call}: shared/documents/json_integer.h checks the range of integers"
            for name in files if not name.startswith(("base/documents/", "shared/documents/"))
            for call in sorted(set(unchecked_integers.findall(text_of(name))))]


def faults_of_dumps(files):
    return [f"{name} calls dump(): json_dump() of shared/documents/json_dump.h accepts bytes that are not UTF-8"
            for name in files if name != "shared/documents/json_dump.cpp" and ".dump(" in text_of(name)]


def folder_list(rules):
    """Returns a line for each top-level folder, in the order of the rules, with the other folders that it may include."""
    uses = defaultdict(list)
    for folder, used_folders in rules.items():
        top = folder.split("/")[0]
        for used in [top, *(used.split("/")[0] for used in used_folders)]:
            if used not in uses[top]:
                uses[top].append(used)
    width = max(map(len, uses))
    order = list(uses)
    lines = []
    for top, used in uses.items():
        others = sorted((one for one in used if one != top), key=order.index)
        lines.append(f"{top:<{width}}  {'→ ' + ', '.join(others) if others else ''}".rstrip())
    return "\n".join(lines) + "\n"


def main():
    rules = read_rules()
    if "--list" in sys.argv[1:]:
        print(folder_list(rules), end="")
        return 0
    files = sources()
    if len(files) < 100:
        print("check.py: git lists hardly any source", file=sys.stderr)
        return 1
    faults = (faults_of_arrows(rules, files) + faults_of_size(files) + faults_of_purity(files) + faults_of_decoders(files) +
              faults_of_integers(files) + faults_of_dumps(files))
    page = text_of("ARCHITECTURE.md")
    if "```\n" + folder_list(rules) + "```" not in page:
        faults.append("ARCHITECTURE.md: its list of folders differs from include_rules.txt; tests/arrows/check.py --list prints it")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
