#!/usr/bin/env python3
"""Sources that can be compiled as one: a compiler's time goes into the headers, once a batch.

usage: together.py [--by-folder] MOST SOURCE...

Prints a line a batch: its sources, at most MOST, by ";"; with --by-folder of one folder each. Names in nameless namespaces meet in a batch: two sources that
define the same one are kept apart, as far as they can be told from the text. The order is kept.
"""

import os
import re
import sys


def own_names(text):
    """What a source defines for itself alone, by name: at the left edge within `namespace {`, and its aliases, whose text
    stands beside them: the same alias may stand twice."""
    names = {name: alias for alias, name in re.findall(r"^((?:using|namespace) (\w+) = .*)$", text, re.M)}
    names["using namespace"] = str(sorted(set(re.findall(r"^using namespace (.*);", text, re.M))))  # the same in all of a batch
    for body in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S):
        body = re.sub(r"//.*", "", body)
        for line in re.sub(r"^(?:\[\[\w+\]\] )+", "", body, flags=re.M).splitlines():
            found = re.match(r"(?:struct|class|enum class|enum) (\w+)", line)
            function = re.match(r"[A-Za-z][^=({]*?\b([A-Za-z_]\w*)\(", line)
            if found or function and function.group(1) != "TEST_CASE":
                names[(found or function).group(1)] = None
            elif re.match(r"[A-Za-z]", line) and not function and not line.startswith(("using ", "namespace ")):
                names.update(dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)(?:\{| =|;|,|\[)", line)))
        for enumerators in re.findall(r"^enum \w+(?: : [\w:]+)? \{(.*?)\}", body, re.M | re.S):
            names.update(dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)", enumerators)))
    return names


def clash(some, others):
    return any(name in others and (text is None or others[name] != text) for name, text in some.items())


def text_of(source):
    with open(source, encoding="utf-8") as file:
        return file.read()


def batches(sources, most, alike=lambda source: None):
    """Lists of sources; those of a list are alike, by the key that `alike` gives."""
    made = []
    for source in sources:
        names, key = own_names(text_of(source)), alike(source)
        for batch in made:
            if batch["key"] == key and len(batch["sources"]) < most and not clash(names, batch["names"]):
                break
        else:
            batch = {"key": key, "sources": [], "names": {}}
            made.append(batch)
        batch["sources"].append(source)
        batch["names"].update(names)
    return [batch["sources"] for batch in made]


if __name__ == "__main__":
    words = sys.argv[1:]
    by_folder = words[0] == "--by-folder"
    most, *given = words[1:] if by_folder else words
    for batch in batches(given, int(most), os.path.dirname if by_folder else lambda source: None):
        print(";".join(batch))
