#!/usr/bin/env python3
"""phrases.py finds a listed phrase and a bad commit message, and accepts good ones."""
import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "phrases.py")


class Phrases(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.git("init", "-q")
        self.write("tests/phrases.py", "")
        self.write("page.md", "A page.\n")
        self.commit("tests: add the check")

    def tearDown(self):
        self.folder.cleanup()

    def git(self, *words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", self.folder.name, *identity, *words], check=True, capture_output=True)

    def write(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def faults(self):
        check = subprocess.run([sys.executable, CHECK, self.folder.name], capture_output=True, text=True)
        self.assertEqual(check.returncode, 1 if check.stderr else 0)
        return check.stderr

    def test_a_clean_tree_has_no_faults(self):
        self.assertEqual(self.faults(), "")

    def test_each_listed_phrase_is_found(self):
        for phrase in ["That is no JSON.", "The job was told to end.", "Run it so often.", "What shall be done?", "So which?",
                       "What came of it is here."]:
            self.write("page.md", f"# Page\n\n{phrase}\n")
            self.assertIn("page.md:3", self.faults(), phrase)

    def test_plain_english_and_program_output_are_accepted(self):
        self.write("page.md", "There is no such file. It is no longer open.\n```\nbot was told\n```\nUSED is `not told`.\n")
        self.assertEqual(self.faults(), "")

    def test_a_subject_without_an_area_is_found(self):
        self.commit("Change things")
        self.assertIn("expected `area: verb object`", self.faults())

    def test_a_long_subject_is_found(self):
        self.commit("planner: " + "x" * 64)
        self.assertIn("73 characters", self.faults())

    def test_a_large_change_needs_a_body(self):
        self.write("large.txt", "line\n" * 51)
        self.commit("planner: add lines")
        self.assertIn("51 changed lines need a body", self.faults())
        self.git("commit", "-q", "--amend", "-m", "planner: add lines\n\nThe reason.")
        self.assertEqual(self.faults(), "")


if __name__ == "__main__":
    unittest.main()
