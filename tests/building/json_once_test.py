#!/usr/bin/env python3
"""Which bodies are left out of nlohmann/json's headers (cmake/json_once.py)."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cmake"))
import json_once  # noqa: E402

CLASS = """struct value
{
    value(const value& other, int more = f(1, (2)))
        : kind(other.kind)
    {
        if (more) { kind = {}; }
    }

    bool holds(int what) const noexcept
    {
        return what == kind;
    }
};
"""


def seen(text, bodies):
    """As the preprocessor leaves it."""
    kept, lines = [True], []
    for line in text.splitlines():
        if line.startswith("#ifdef RV_JSON_BODIES"):
            kept.append(bodies)
        elif line == "#else":
            kept[-1] = not kept[-1]
        elif line == "#endif":
            kept.pop()
        elif all(kept) and line:
            lines.append(line)
    return "\n".join(lines)


class JsonOnce(unittest.TestCase):
    def test_a_function_keeps_its_declaration_alone(self):
        text = json_once.without_body(CLASS, "    bool holds(")
        self.assertEqual(seen(text, True), seen(CLASS, True))
        self.assertIn("    bool holds(int what) const noexcept;\n};", seen(text, False))
        self.assertNotIn("what == kind", seen(text, False))

    def test_a_constructor_loses_what_it_initializes(self):
        text = json_once.without_body(CLASS, "    value(const value&")
        self.assertEqual(seen(text, True), seen(CLASS, True))
        self.assertIn("    value(const value& other, int more = f(1, (2)));\n    bool holds", seen(text, False))

    def test_what_nobody_refers_to_is_kept_for_those_without_a_body(self):
        text = json_once.without_body(CLASS.replace("bool holds", "static bool holds"), "    static bool holds(")
        self.assertIn("[[gnu::used]]     static bool holds(int what)", seen(text, True))
        self.assertNotIn("gnu::used", seen(text, False))

    def test_another_release_is_an_error(self):
        for text in (CLASS.replace("holds", "has"), CLASS + CLASS):
            with self.assertRaises(SystemExit) as said:
                json_once.without_body(text, "    bool holds(")
            self.assertIn("functions begin with: bool holds(", str(said.exception))

    def test_a_file_that_is_as_it_should_be_keeps_its_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.hpp")
            json_once.write(path, "x")
            os.utime(path, (1, 1))
            json_once.write(path, "x")
            self.assertEqual(os.stat(path).st_mtime, 1)
            json_once.write(path, "y")
            self.assertNotEqual(os.stat(path).st_mtime, 1)


if __name__ == "__main__":
    unittest.main()
