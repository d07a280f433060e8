#!/usr/bin/env python3
"""Groups sources for clang-tidy: most of its time goes into headers, which it then reads once per group.

usage: lint_batches.py FOLDER <sources    FOLDER holds compile_commands.json

Only the linter reads groups; the build compiles each source on its own. Sources with the same language options go into one
group of up to 48, unless they define the same name for themselves, as far as the text shows. The caller lints the sources of
a group one by one if the group does not compile.

Writes FOLDER/batches/N.cpp, which includes the sources of group N, and compile commands for these files to FOLDER/batches/.
Prints one line per group: its file, then its sources, separated by tabs.
"""

import collections
import json
import os
import re
import shlex
import sys

MOST = 48


def own_names(text):
    """The names that a source defines for itself: those at the left edge of a nameless namespace, its aliases with their whole
    text (the same alias may occur twice), and `main`."""
    names = {name: alias for alias, name in re.findall(r"^((?:using|namespace) (\w+) = .*)$", text, re.M)}
    # All sources of a group open the same namespaces; the clock's literals do not get in the way.
    opened = set(re.findall(r"^using namespace (.*);", text, re.M)) - {"std::chrono_literals"}
    names["using namespace"] = str(sorted(opened))
    if re.search(r"^int main\(", text, re.M):
        names["main"] = None
    for body in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S):
        body = re.sub(r"//.*", "", body)
        for line in re.sub(r"^(?:\[\[\w+\]\] )+", "", body, flags=re.M).splitlines():
            found = re.match(r"(?:struct|class|enum class|enum) (\w+)", line)
            function = re.match(r"[A-Za-z][^=({]*?\b([A-Za-z_]\w*)\(", line)
            if found or function:
                names[(found or function).group(1)] = None
            elif re.match(r"[A-Za-z]", line) and not line.startswith(("using ", "namespace ")):
                while (outside := re.sub(r"<[^<>]*>", "", line)) != line:  # template arguments are not names of the source
                    line = outside
                names.update(dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)(?:\{| =|;|,|\[)", line)))
        for enumerators in re.findall(r"^enum \w+(?: : [\w:]+)? \{(.*?)\}", body, re.M | re.S):
            names.update(dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)", enumerators)))
    return names


def clash(some, others):
    return any(name in others and (text is None or others[name] != text) for name, text in some.items())


def groups_of(texts, alike, most=MOST):
    """Lists of sources. `texts`: the text of each source; `alike`: a key that is equal for all sources of a group."""
    named = {source: own_names(text) for source, text in texts.items()}
    count = collections.Counter(name for names in named.values() for name in names)

    def clashes(source):
        """The number of other sources that define one of its names: sources that fit into few groups come first."""
        return sum(count[name] - 1 for name in named[source] if name != "using namespace")

    groups = []
    for source in sorted(texts, key=clashes, reverse=True):
        names, key = named[source], alike(source)
        for group in groups:
            if group["key"] == key and len(group["sources"]) < most and not clash(names, group["names"]):
                break
        else:
            group = {"key": key, "sources": [], "names": {}}
            groups.append(group)
        group["sources"].append(source)
        group["names"].update(names)
    return [group["sources"] for group in groups]


def flags(command):
    """The language options of a command, and its include folders. Output files and optimisation options do not separate
    sources."""
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


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    folder = sys.argv[1]
    wanted = {os.path.abspath(line.strip()) for line in sys.stdin if line.strip()}
    entries = [entry for entry in json.loads(text_of(os.path.join(folder, "compile_commands.json"))) if entry["file"] in wanted]
    by_source = {entry["file"]: entry for entry in sorted(entries, key=lambda entry: entry["file"])}

    by_flags = {source: flags(entry["command"]) for source, entry in by_source.items()}
    # A group has the include folders of all sources: the compiler checks that each source finds its headers with its own.
    folders = list(dict.fromkeys(folder for _, own in by_flags.values() for folder in own))

    groups = groups_of({source: text_of(source) for source in by_source}, lambda source: tuple(by_flags[source][0]))
    os.makedirs(os.path.join(folder, "batches"), exist_ok=True)
    commands = []
    for number, group in enumerate(groups):
        path = os.path.abspath(os.path.join(folder, "batches", f"{number}.cpp"))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f'#include "{source}"\n' for source in group)
        words = [*by_flags[group[0]][0], *folders, "-c", path]
        commands.append({"directory": by_source[group[0]]["directory"], "file": path, "arguments": words})
        print("\t".join([path, *group]))
    with open(os.path.join(folder, "batches", "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file)


if __name__ == "__main__":
    main()
