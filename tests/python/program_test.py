"""Options, documents and errors of the program rv. RV is the binary; plans are made from a saved cluster."""
import os
import tempfile
import unittest
from datetime import timedelta

from calls import ROOT

import rv
from rv.errors import error_of
from rv.options import arguments
from rv.program import read

CLUSTER = os.path.join(ROOT, "tests/cli/data/small.cluster.json")


class Options(unittest.TestCase):
    def test_keywords_become_long_options(self):
        self.assertEqual(
            arguments({"gpu": 4, "type": ["a100", "h100"], "requeue": True, "mig": False, "qos": None, "procs_per_node": 2,
                       "time": timedelta(minutes=30), "env": {"A": 1, "B": "x y"}, "sbatch": ["comment=a,b", "contiguous"],
                       "after": rv.Run("abc234")}),
            ["--gpu=4", "--type=a100,h100", "--requeue", "--procs-per-node=2", "--time=1800s", "--env=A=1", "--env=B=x y",
             "--sbatch=comment=a,b", "--sbatch=contiguous", "--after=abc234"])

    def test_options_that_change_what_rv_prints_are_refused(self):
        for name in ("follow", "dry_run", "save", "json"):
            with self.assertRaisesRegex(rv.UsageError, f"{name}= can't be used from Python\nhint: "):
                arguments({name: True})

    def test_an_unknown_option_names_the_near_one(self):
        with self.assertRaisesRegex(rv.UsageError, 'unknown option "--tim" .*did you mean "--time"') as raised:
            rv.plan(tim="30m", cluster=CLUSTER)
        self.assertEqual(raised.exception.exit_code, 2)


class Documents(unittest.TestCase):
    def test_a_plan_has_typed_strategies(self):
        plan = rv.plan(gpu=4, type="a40", time="30m", single_node=True, cluster=CLUSTER)
        best = plan.best
        self.assertEqual((best.rank, best.gpu_type, best.gpus, best.nodes, best.time_limit_s), (1, "a40", 4, 1, 1800))
        self.assertTrue(best.wait.basis)
        self.assertIn("#SBATCH", best.json["script"])

    def test_a_plan_in_which_nothing_fits_is_empty_and_says_why(self):
        plan = rv.plan(gpu=5000, time="30m", cluster=CLUSTER)
        self.assertFalse(plan)
        self.assertTrue(all(reason for _, reason in plan.rejected))

    def test_each_exit_code_has_its_error(self):
        for code, kind in ((2, rv.UsageError), (119, rv.LoginNodeError), (120, rv.NoFitError), (121, rv.SlurmError),
                           (122, rv.NoSuchRunError), (125, rv.Error), (7, rv.Error)):
            error = error_of("message", "advice", code)
            self.assertIs(type(error), kind)
            self.assertEqual((str(error), error.exit_code), ("message\nhint: advice", code))

    def test_an_error_that_is_not_json_keeps_its_text(self):
        with self.assertRaisesRegex(rv.Error, "Killed"):
            read(137, b"", b"Killed\n")
        with self.assertRaisesRegex(rv.Error, "exit code 1 and printed nothing"):
            read(1, b"", b"")

    def test_a_note_before_the_error_is_not_the_error(self):
        with self.assertRaisesRegex(rv.NoFitError, "^nothing fits\nhint: less$"):
            read(120, b"", b'rv: note\n{"error":{"message":"nothing fits","advice":"less","exit_code":120}}\n')

    def test_a_missing_program_is_an_error(self):
        before = os.environ["RV"]
        self.addCleanup(os.environ.__setitem__, "RV", before)
        os.environ["RV"] = "/nowhere/rv"
        with self.assertRaisesRegex(rv.Error, "can't start rv: .*\nhint: install rv"):
            rv.plan()


class Refused(unittest.TestCase):
    """Nothing is submitted, and no file is left."""

    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        before = os.environ.get("RV_HOME")
        self.addCleanup(lambda: os.environ.pop("RV_HOME") if before is None else os.environ.__setitem__("RV_HOME", before))
        os.environ["RV_HOME"] = self.home = home.name

    def check(self, message, submit):
        with self.assertRaisesRegex(rv.UsageError, message):
            submit()
        folder = os.path.join(self.home, "python")
        self.assertEqual(os.listdir(folder) if os.path.exists(folder) else [], [])

    def test_a_wrong_option(self):
        self.check("--gppu", lambda: rv.submit(print, gppu=1))

    def test_no_items(self):
        self.check("no items", lambda: rv.map(print, []))

    def test_an_array_of_a_function(self):
        self.check("rv.map", lambda: rv.submit(print, array="0-3"))

    def test_a_file_as_argument(self):
        with open(os.devnull, encoding="utf-8") as file:
            self.check("argument 1 of print can't be pickled", lambda: rv.submit(print, file))
            self.check("argument 1 of print can't be pickled", lambda: rv.map(print, [1, file]))


if __name__ == "__main__":
    unittest.main()
