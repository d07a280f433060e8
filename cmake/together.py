#!/usr/bin/env python3
"""Sources that can be compiled as one: a compiler's time goes into the headers, once a batch.

usage: together.py <targets    a line for each: NAME [--by-folder FOLDERS] [--tests] MOST OUT SOURCE…, between tabs

Writes the batches to OUT/1.cpp, 2.cpp, … (.cu where the sources are), each including at most MOST sources; a file that stays
as it is keeps its time. Prints a line for each target: its name, and what is to be compiled, sources that stay alone
included. With --by-folder, a source is only with those of its own folder of FOLDERS (by ":"), the longest that fits, or else
with those in the same folder as it. Folders with "+" between them are one.

Names in nameless namespaces meet in a batch: sources that define the same one are kept apart, as far as they can be told from
the text. With --tests, a source that lies open at the left edge (no other file needs what it defines) is put into a namespace
of its own, after the headers of all, and can stand beside any other.
"""

import argparse
import collections
import os
import re
import sys


def own_names(text):
    """What a source defines for itself alone, by name: at the left edge within `namespace {`, and its aliases, whose text
    stands beside them: the same alias may stand twice."""
    names = {name: alias for alias, name in re.findall(r"^((?:using|namespace) (\w+) = .*)$", text, re.M)}
    # The same in all of a batch; the clock's literals are in nobody's way.
    opened = set(re.findall(r"^using namespace (.*);", text, re.M)) - {"std::chrono_literals"}
    names["using namespace"] = str(sorted(opened))
    for body in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.M | re.S):
        body = re.sub(r"//.*|__launch_bounds__\(.*?\)\s", "", body)
        for line in re.sub(r"^(?:\[\[\w+\]\] |__\w+__ )+", "", body, flags=re.M).splitlines():
            found = re.match(r"(?:struct|class|enum class|enum) (\w+)", line)
            function = re.match(r"[A-Za-z][^=({]*?\b([A-Za-z_]\w*)\(", line)
            if found or function and function.group(1) != "TEST_CASE":
                names[(found or function).group(1)] = None
            elif re.match(r"[A-Za-z]", line) and not function and not line.startswith(("using ", "namespace ")):
                while (outside := re.sub(r"<[^<>]*>", "", line)) != line:  # what stands in a type's brackets is no name of it
                    line = outside
                names.update(dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)(?:\{| =|;|,|\[)", line)))
        for enumerators in re.findall(r"^enum \w+(?: : [\w:]+)? \{(.*?)\}", body, re.M | re.S):
            names.update(dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)", enumerators)))
    return names


def clash(some, others):
    return any(name in others and (text is None or others[name] != text) for name, text in some.items())


def text_of(source):
    with open(source, encoding="utf-8") as file:
        return file.read()


def lies_open(text):
    """All that it defines is its own: no named namespace, nothing for C or for the preprocessor, no specialisation."""
    return not re.search(r"^(?:namespace \w[^=]*$|extern|template <>|int main|#(?!include))", text, re.M)


def batches(sources, most, alike=lambda source: None, names_of=own_names):
    """Lists of sources; those of a list are alike, by the key that `alike` gives."""
    named = {source: names_of(text_of(source)) for source in sources}
    count = collections.Counter(name for names in named.values() for name in names)

    def company(source):
        """How many others define what it defines: who fits into few batches chooses first."""
        return -sum(count[name] - 1 for name in named[source] if name != "using namespace")

    made = []
    for source in sorted(sources, key=company):
        names, key = named[source], alike(source)
        for batch in made:
            if batch["key"] == key and len(batch["sources"]) < most and not clash(names, batch["names"]):
                break
        else:
            batch = {"key": key, "sources": [], "names": {}}
            made.append(batch)
        batch["sources"].append(source)
        batch["names"].update(names)
    return [batch["sources"] for batch in made]


def folder_of(source, folders):
    folder = os.path.dirname(source)
    fitting = [(len(one), group) for group in folders for one in group.split("+") if (folder + "/").startswith(one + "/")]
    return max(fitting, default=(0, folder))[1]


def included(batch):
    """A file that includes them; those that lie open follow the headers of all, each in a namespace of its own."""
    return "".join(f'#include "{source}"\n' for source in batch)


def headers_of(source):
    """Its #include lines, as another file can have them."""

    def anywhere(name):
        beside = os.path.join(os.path.dirname(source), name)
        return beside if os.path.exists(beside) else name

    return [re.sub(r'"(.*)"', lambda found: f'"{anywhere(found.group(1))}"', line)
            for line in re.findall(r"^#include .*", text_of(source), re.M)]


def apart(batch):
    open_ones = [source for source in batch if lies_open(text_of(source))]
    headers = [line for source in open_ones for line in headers_of(source)]
    text = included([source for source in batch if source not in open_ones]) + "\n".join(dict.fromkeys(headers)) + "\n"
    for number, source in enumerate(open_ones, 1):
        text += f'namespace source_{number} {{\n#include "{source}"\n}}\n'
    return text


def write(path, text):
    if not os.path.exists(path) or text_of(path) != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def put_together(words):
    """The paths that take the place of a target's sources."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--by-folder")
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("most", type=int)
    parser.add_argument("out")
    parser.add_argument("sources", nargs="*")
    given = parser.parse_args(words)
    folders = (given.by_folder or "").split(":")
    alike = (lambda source: folder_of(source, folders)) if given.by_folder is not None else (lambda source: None)
    names_of = (lambda text: {} if lies_open(text) else own_names(text)) if given.tests else own_names
    os.makedirs(given.out, exist_ok=True)
    paths = []
    for number, batch in enumerate(batches(given.sources, given.most, alike, names_of), 1):
        path = batch[0]
        if len(batch) > 1:
            path = os.path.join(given.out, str(number) + os.path.splitext(path)[1])
            write(path, apart(batch) if given.tests else included(batch))
        paths.append(path)
    return paths


if __name__ == "__main__":
    for line in sys.stdin:
        name, *words = (word for word in line.rstrip("\n").split("\t") if word)
        print("\t".join([name, *put_together(words)]))
