#!/usr/bin/env python3
"""nlohmann/json with the bodies of its larger functions only where RV_JSON_BODIES is defined (json.cmake tells why).

usage: json_once.py FROM TO    FROM: the folder nlohmann of release 3.11.2, TO: where the copy goes

A file that is as it should be keeps its time. A function that is not found, or twice, is an error: another release.
"""

import os
import re
import sys

from together import text_of, write

# How their lines begin, by file. What is a template of its own is not among them: it is asked for with types of all kinds.
LARGE = {
    "json.hpp": [
        "        json_value(value_t t)\n",
        "        void destroy(value_t t)",
        "    basic_json(initializer_list_t init,",
        "    basic_json(const basic_json& other)",
        "    string_t dump(",
        "    reference operator[](size_type idx)\n",
        "    const_reference operator[](size_type idx) const",
        "    reference operator[](typename object_t::key_type key)\n",
        "    void push_back(basic_json&& val)",
        "    void push_back(const basic_json& val)",
        "    void update(const_iterator first,",
    ],
    "ordered_map.hpp": ["    std::pair<iterator, bool> emplace(const key_type& key, T&& t)"],
    "detail/exceptions.hpp": ["    static std::string name("],
    "detail/input/lexer.hpp": ["    token_type scan()"],
    "detail/input/parser.hpp": ["    void parse(const bool strict,", "    bool accept("],
    "detail/output/serializer.hpp": ["    void dump(const BasicJsonType& val,"],
}


def after_pair(text, start, pair):
    """Where the bracket that opens at or after `start` has been closed."""
    depth = 0
    for found in re.finditer("[" + re.escape(pair) + "]", text[start:]):
        depth += 1 if found.group() == pair[0] else -1
        if depth == 0:
            return start + found.end()
    raise ValueError("no end")


def without_body(text, beginning):
    if text.count(beginning) != 1:
        sys.exit(f"json_once.py: {text.count(beginning)} functions begin with: {beginning.strip()}")
    head = text.index(beginning)
    head_end = after_pair(text, head, "()")
    head_end = re.compile(r"(?: const)?(?: noexcept)?").match(text, head_end).end()
    indent = re.match(" *", beginning).group()
    body = text.index(f"\n{indent}{{", head_end)
    body_end = text.index(f"\n{indent}}}", body) + len(indent) + 2
    # What nobody refers to is kept, too, for those who see no body.
    used = "[[gnu::used]] " if "    static" in beginning else ""
    return (text[:head] + f"\n#ifdef RV_JSON_BODIES\n{used}{text[head:body_end]}\n#else\n{text[head:head_end]};\n#endif\n"
            + text[body_end:])


def copy(source, target):
    for folder, _, names in os.walk(source):
        inside = os.path.relpath(folder, source)
        os.makedirs(os.path.join(target, inside), exist_ok=True)
        for name in names:
            path = os.path.normpath(os.path.join(inside, name))
            text = text_of(os.path.join(source, path))
            for beginning in LARGE.get(path, []):
                text = without_body(text, beginning)
            if path == "json.hpp":
                text = re.sub(r'JSON_HEDLEY_NON_NULL\(1\)\ninline nlohmann::json[a-z:_]* operator "" _json[^}]*}', "", text)
                text = text.replace("#if JSON_USE_GLOBAL_UDLS", "#if 0")
            write(os.path.join(target, path), text)


if __name__ == "__main__":
    copy(*sys.argv[1:])
