#!/usr/bin/env python3
"""Which sources are compiled as one (cmake/together.py)."""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cmake", "together.py")


def source(*names, opened="rv"):
    """One that defines functions of these names for itself alone."""
    body = "".join(f"int {name}() {{\n  return 1;\n}}\n" for name in names)
    return f'#include "base/text.h"\n\nusing namespace {opened};\n\nnamespace {{\n\n{body}\n}}  // namespace\n\nint f();\n'


class Together(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = os.path.join(self.folder.name, "out")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def batches(self, texts, *words, most=20):
        """The names of the sources in each batch."""
        for name, text in texts.items():
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        line = "\t".join(["one", *words, str(most), self.out, *map(self.path, texts)])
        said = subprocess.run([sys.executable, PROGRAM], input=line + "\n", stdout=subprocess.PIPE, text=True, check=True).stdout
        target, *self.paths = said.rstrip("\n").split("\t")
        self.assertEqual(target, "one")
        return sorted(sorted(name for name in texts if path == self.path(name) or self.path(name) in self.text(path)) for path in self.paths)

    def text(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_names_that_meet_are_kept_apart(self):
        texts = {"a.cpp": source("same", "a"), "b.cpp": source("same"), "c.cpp": source("other")}
        self.assertEqual(self.batches(texts), [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_who_opens_another_namespace_is_kept_apart(self):
        texts = {"a.cpp": source("a"), "b.cpp": source("b", opened="rv::monitor"), "c.cpp": source("c")}
        self.assertEqual(self.batches(texts), [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_a_batch_has_a_size(self):
        texts = {f"{name}.cpp": source(name) for name in "abcde"}
        self.assertEqual(sorted(map(len, self.batches(texts, most=2))), [1, 2, 2])

    def test_a_kernels_name_is_one(self):
        kernel = "namespace {\n\n__global__ void __launch_bounds__(256)\n    summed(int* to) {\n}\n\n}  // namespace\n"
        line = "namespace {\n\n__global__ void summed(float* to) {\n}\n\n}  // namespace\n"
        self.assertEqual(self.batches({"a.cu": kernel, "b.cu": line, "c.cu": line.replace("summed", "c")}), [["a.cu", "c.cu"], ["b.cu"]])
        self.assertTrue(all(path.endswith(".cu") for path in self.paths))

    def test_what_stands_in_brackets_is_no_name(self):
        array = "namespace {\n\nconstexpr std::array<std::string_view, 2> %s{};\n\n}  // namespace\n"
        self.assertEqual(self.batches({"a.cpp": array % "some", "b.cpp": array % "others"}), [["a.cpp", "b.cpp"]])

    def test_a_source_alone_stays_itself(self):
        self.batches({"a.cpp": source("a")})
        self.assertEqual(self.paths, [self.path("a.cpp")])

    def test_only_folders_that_belong_together_are(self):
        texts = {name: source(str(number) + "x") for number, name in enumerate(["devices/a.cpp", "training/a.cpp", "training/data/b.cpp", "ranks/c.cpp"])}
        words = ["--by-folder", self.path("training")]
        self.assertEqual(self.batches(texts, *words), [["devices/a.cpp"], ["ranks/c.cpp"], ["training/a.cpp", "training/data/b.cpp"]])

    def test_folders_of_a_group_stand_together(self):
        texts = {"ranks/a.cpp": source("a"), "report/b.cpp": source("b"), "stress/c.cpp": source("c"), "ranks/gloo/d.cpp": source("d")}
        words = ["--by-folder", self.path("ranks") + "+" + self.path("report")]
        self.assertEqual(self.batches(texts, *words), [["ranks/a.cpp", "ranks/gloo/d.cpp", "report/b.cpp"], ["stress/c.cpp"]])

    def test_a_test_has_a_namespace_of_its_own(self):
        texts = {"a.cpp": source("same"), "b.cpp": source("same", opened="rv::monitor")}
        self.assertEqual(self.batches(texts, "--tests"), [["a.cpp", "b.cpp"]])
        text = self.text(self.paths[0])
        self.assertEqual(text.count("namespace source_"), 2)
        self.assertLess(text.index('#include "base/text.h"'), text.index("namespace"))

    def test_a_header_beside_a_test_is_found(self):
        os.makedirs(self.path("tests"))
        with open(self.path("tests/damage.h"), "w", encoding="utf-8") as file:
            file.write("#pragma once\n")
        self.batches({"tests/a.cpp": '#include "damage.h"\n' + source("a"), "tests/b.cpp": source("b")}, "--tests")
        self.assertIn(f'#include "{self.path("tests/damage.h")}"\n', self.text(self.paths[0]))

    def test_what_others_need_has_none(self):
        """A namespace with a name, what C sees, and what the preprocessor decides have to stay where they are."""
        for text in ["namespace rv::base {\n\nint f();\n\n}  // namespace rv::base\n", 'extern "C" int fsync(int file) {\n}\n', "#if HAS_IT\n#endif\n"]:
            self.batches({"a.cpp": text, "b.cpp": source("b")}, "--tests")
            made = self.text(self.paths[0])
            self.assertEqual(made.count("namespace source_"), 1)
            self.assertLess(made.index("a.cpp"), made.index("namespace source_1"))

    def test_a_batch_that_stays_as_it_is_keeps_its_time(self):
        texts = {"a.cpp": source("a"), "b.cpp": source("b")}
        self.batches(texts)
        os.utime(self.paths[0], (1, 1))
        self.batches(texts)
        self.assertEqual(os.stat(self.paths[0]).st_mtime, 1)
        self.batches({"c.cpp": source("c"), **texts})
        self.assertGreater(os.stat(self.paths[0]).st_mtime, 1)


if __name__ == "__main__":
    unittest.main()
