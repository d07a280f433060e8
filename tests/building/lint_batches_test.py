#!/usr/bin/env python3
"""Which sources clang-tidy reads in one group (tests/lint_batches.py)."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lint_batches  # noqa: E402


def source(*names, opened="rv"):
    """A source that defines functions with these names for itself."""
    body = "".join(f"int {name}() {{\n  return 1;\n}}\n" for name in names)
    return f'#include "base/text.h"\n\nusing namespace {opened};\n\nnamespace {{\n\n{body}\n}}  // namespace\n\nint f();\n'


def groups(texts, **options):
    return sorted(sorted(group) for group in lint_batches.groups_of(texts, lambda source: source.rsplit(".", 1)[1], **options))


class LintBatches(unittest.TestCase):
    def test_sources_that_define_the_same_name_are_separated(self):
        texts = {"a.cpp": source("same", "a"), "b.cpp": source("same"), "c.cpp": source("different")}
        self.assertEqual(groups(texts), [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_programs_are_separated(self):
        texts = {"a.cpp": "int main() {\n}\n", "b.cpp": "int main(int count, char** words) {\n}\n"}
        self.assertEqual(groups(texts), [["a.cpp"], ["b.cpp"]])

    def test_a_source_that_opens_another_namespace_is_separated(self):
        texts = {"a.cpp": source("a"), "b.cpp": source("b", opened="rv::monitor"), "c.cpp": source("c")}
        self.assertEqual(groups(texts), [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_a_group_has_a_limited_size(self):
        texts = {f"{name}.cpp": source(name) for name in "abcde"}
        self.assertEqual(sorted(map(len, groups(texts, most=2))), [1, 2, 2])

    def test_sources_with_different_keys_are_separated(self):
        self.assertEqual(groups({"a.cpp": source("a"), "b.cc": source("b")}), [["a.cpp"], ["b.cc"]])

    def test_template_arguments_are_not_names(self):
        array = "namespace {\n\nconstexpr std::array<std::string_view, 2> %s{};\n\n}  // namespace\n"
        self.assertEqual(groups({"a.cpp": array % "some", "b.cpp": array % "others"}), [["a.cpp", "b.cpp"]])

    def test_the_same_alias_may_occur_twice(self):
        alias = "namespace {\n\nusing Json = nlohmann::%s;\n\n}  // namespace\n"
        texts = {"a.cpp": alias % "json", "b.cpp": alias % "json", "c.cpp": alias % "ordered_json"}
        self.assertEqual(groups(texts), [["a.cpp", "b.cpp"], ["c.cpp"]])

    def test_include_folders_and_optimisation_are_not_language_options(self):
        kept, folders = lint_batches.flags("g++ -std=c++20 -I/a -isystem /b -O2 -o x.o -c x.cpp")
        self.assertEqual(kept, ["g++", "-std=c++20"])
        self.assertEqual(folders, ["-I/a", "-isystem/b"])


if __name__ == "__main__":
    unittest.main()
