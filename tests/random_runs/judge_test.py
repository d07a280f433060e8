#!/usr/bin/env python3
"""What counts as an untrue outcome, an overlap and a missing byte."""
import sys
import unittest

sys.dont_write_bytecode = True
import judge


def starts(*lines):
    return judge.starts_of(lines)[0]


DONE = ["1.0 start 7.0.9 -", "2.0 end 7.0.9 0"]
FAILED = ["1.0 start 7.0.9 -", "2.0 end 7.0.9 7"]
KILLED = ["1.0 start 7.0.9 -"]
TOLD = ["1.0 start 7.0.9 -", "1.5 term 7.0.9 -"]
LATER = ["3.0 start 8.0.5 -"]


class Outcome(unittest.TestCase):
    def true(self, lines, state, code=None, **how):
        self.assertEqual(judge.wrong_outcome(starts(*lines), state, code, **how), "")

    def untrue(self, lines, state, code=None, **how):
        self.assertNotEqual(judge.wrong_outcome(starts(*lines), state, code, **how), "")

    def test_recorded_end_is_the_outcome(self):
        self.true(DONE, "done", 0)
        self.true(FAILED, "failed", 7)
        self.untrue(DONE, "failed", 7)
        self.untrue(FAILED, "failed", 1)
        self.untrue(FAILED, "done", 0)
        for state in ("lost", "refused", "stopped", "node-failure"):
            self.untrue(DONE, state)
            self.untrue(FAILED, state)

    def test_killed_command_has_no_success(self):
        self.untrue(KILLED, "done", 0)
        self.untrue(KILLED, "refused")
        self.untrue(KILLED, "failed", 7)
        self.true(KILLED, "failed", 137)
        self.true(KILLED, "lost")
        self.true(TOLD, "stopped")

    def test_never_started(self):
        self.true([], "refused")
        self.true([], "stopped")
        self.untrue([], "done", 0)
        self.untrue([], "failed", 7)

    def test_killed_before_its_first_line(self):
        for code in (137, 143):
            self.true([], "failed", code)
        self.untrue([], "failed", 7)

    def test_second_start(self):
        self.untrue(KILLED + LATER, "lost")
        self.true(KILLED + LATER, "lost", may_restart=True)
        self.untrue(FAILED + LATER + ["4.0 end 8.0.5 0"], "failed", 7, may_restart=True)
        self.true(FAILED + LATER + ["4.0 end 8.0.5 0"], "done", 0, may_restart=True)

    def test_script_that_was_killed(self):
        self.true(DONE, "lost", script_killed=True)
        self.untrue(FAILED, "done", 0, script_killed=True)

    def test_array(self):
        self.assertEqual(judge.wrong_array([0, 0], 2, "done"), "")
        self.assertEqual(judge.wrong_array([0, 7], 2, "failed"), "")
        self.assertNotEqual(judge.wrong_array([0], 2, "done"), "")
        self.assertNotEqual(judge.wrong_array([0, 7], 2, "done"), "")
        self.assertNotEqual(judge.wrong_array([0], 2, "refused"), "")
        self.assertNotEqual(judge.wrong_array([0, 0], 2, "lost"), "")
        self.assertEqual(judge.wrong_array([0, 0], 2, "lost", script_killed=True), "")
        self.assertNotEqual(judge.wrong_array([0, 0], 2, "failed", script_killed=True), "")


class Record(unittest.TestCase):
    def test_overlap(self):
        self.assertFalse(judge.starts_of(DONE)[1])
        self.assertTrue(judge.starts_of(DONE + ["3.0 overlap 8.0.5 -"])[1])

    def test_missing_bytes(self):
        self.assertEqual(judge.missing_bytes(["a", "bcd"], ["x", "a", "bcd"]), 0)
        self.assertEqual(judge.missing_bytes(["a", "bcd"], ["a", "bc"]), 4)
        self.assertEqual(judge.missing_bytes(["a", "bcd"], ["a", "torbcd"]), 0)


if __name__ == "__main__":
    unittest.main()
