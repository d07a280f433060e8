"""Functions reach a job by value, and their results and exceptions come back."""
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest

from calls import ROOT, outcome_of, run_job, value_of, write_call

import rv
from rv import job

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = {
    "lambda": 7, "mutual": True, "defaults": 19, "partial": 12, "recursive closure": 55, "shared cell": [2, 2], "dataclass": [True, 5.0],
    "dataclass functions": [9, 2, True], "own class returned": 16, "exception that can't be read": True, "abstract": [9, "m2", True], "module": ["b", 2], "generator": 27, "own class raised": [True, "not today", True], "array": [4, 3]}


class Unreadable:
    """Its pickle can be written, and not read."""

    def __reduce__(self):
        return os.listdir, ("/nowhere at all",)


class Pickling(unittest.TestCase):
    def test_what_a_script_defines_travels_by_value(self):
        ended = subprocess.run([sys.executable, os.path.join(HERE, "main_script.py")], stdout=subprocess.PIPE, check=True)
        self.assertEqual(json.loads(ended.stdout), EXPECTED)

    def test_a_function_of_a_module_travels_by_name(self):
        self.assertEqual(value_of(os.path.join, "a", "b"), "a/b")
        self.assertIs(value_of(type, 1), int)

    def test_a_lambda_of_a_module_uses_the_globals_of_that_module(self):
        self.assertEqual(value_of(lambda: HERE), HERE)

    def test_what_cannot_be_pickled_is_named(self):
        lock = threading.Lock()
        with self.assertRaisesRegex(rv.PickleError, r"the variable lock of .*<lambda> can't be pickled: .*\nhint: create it inside"):
            value_of(lambda: lock)
        with self.assertRaisesRegex(rv.PickleError, "argument 1 of print can't be pickled"):
            value_of(print, lock)
        with self.assertRaisesRegex(rv.PickleError, "argument file= of print can't be pickled"):
            value_of(print, file=sys.stderr)

    def test_an_exception_comes_back_with_its_traceback(self):
        def fail():
            raise KeyError("missing")

        error = outcome_of(fail).error
        self.assertIsInstance(error, KeyError)
        self.assertIn('raise KeyError("missing")', str(error.__cause__))
        self.assertNotIn("job.py", str(error.__cause__))

    def test_an_exception_that_cannot_be_pickled_comes_back_as_text(self):
        def fail():
            class Own(Exception):
                pass
            raise Own("text")

        error = outcome_of(fail).error
        self.assertIsInstance(error, rv.RunFailed)
        self.assertIn("Own: text", error.message)
        self.assertIn("Traceback", error.message)

    def test_exit_and_interrupt_are_errors_too(self):
        error = outcome_of(sys.exit, 0).error
        self.assertIsInstance(error, rv.RunFailed)
        self.assertIn("the function raised SystemExit: 0", error.message)

    def test_a_call_from_an_array_is_no_element_of_it(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = write_call(str, ["one"], {}, parent)
            run_job(folder, RV_ARRAY_INDEX="7", RV_DONE_FILE="/nowhere/done", RV_RUN_DIR="/elsewhere")
            self.assertEqual(folder.outcome().value, "one")

    def test_a_result_that_cannot_be_pickled_or_unpickled_is_an_error(self):
        error = outcome_of(threading.Lock).error
        self.assertIsInstance(error, rv.PickleError)
        self.assertIn("the result can't be pickled", error.message)
        error = outcome_of(Unreadable).error
        self.assertIsInstance(error, rv.PickleError)
        self.assertIn("the result can't be unpickled: FileNotFoundError", error.message)
        self.assertTrue(error.advice)

    def test_another_python_is_an_error_before_anything_is_unpickled(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = write_call(print, ["called"], {}, parent)
            path = os.path.join(folder.path, job.CALL)
            with open(path, "rb") as file:
                content = file.read()
            with open(path, "wb") as file:
                file.write(content.replace(b'"%s"' % job.version().encode(), b'"2.7"', 1))
            code, out, _ = run_job(folder)
            self.assertEqual((code, out), (job.RAISED, ""))
            error = folder.outcome().error
            self.assertIsInstance(error, rv.PickleError)
            self.assertIn(f"Python 2.7 pickled the function, and the job runs Python {job.version()}", error.message)


class Folders(unittest.TestCase):
    def test_a_call_is_readable_for_its_user_only(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = write_call(print, [], {}, os.path.join(parent, "calls"))
            for path in (os.path.join(parent, "calls"), folder.path, os.path.join(folder.path, "results")):
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o700)

    def test_a_result_that_is_half_written_is_not_read(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = write_call(print, [], {}, parent)
            with open(os.path.join(folder.path, "results", "result.0.17.part"), "wb") as file:
                file.write(b"{")
            self.assertIsNone(folder.outcome())

    def test_each_rank_has_a_result(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = write_call(os.getenv, ["RANK"], {}, parent)
            for rank in ("0", "1"):
                run_job(folder, RANK=rank, WORLD_SIZE="2")
            self.assertEqual([folder.outcome(rank=rank).value for rank in (0, 1)], ["0", "1"])
            self.assertEqual(folder.outcome().processes, 2)

    def test_an_error_is_final_unless_rv_may_start_the_call_again(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = write_call(int, ["x"], {}, parent)
            run_job(folder)
            self.assertTrue(folder.outcome().final)
            folder.note_repeats()
            run_job(folder)
            self.assertFalse(folder.outcome().final)

    def test_old_calls_of_removed_runs_are_removed(self):
        with tempfile.TemporaryDirectory() as home:
            os.environ["RV_HOME"] = home
            self.addCleanup(os.environ.pop, "RV_HOME")
            kept, old, waiting, young = (write_call(print, [], {}) for _ in range(4))
            young.note_run("young")
            os.makedirs(os.path.join(home, "runs", "kept"))
            for folder, run in ((kept, "kept"), (old, "old")):
                folder.note_run(run)
                os.utime(os.path.join(folder.path, "run"), (0, 0))
            new = write_call(print, [], {})
            self.assertEqual(set(os.listdir(os.path.join(home, "python"))), {os.path.basename(f.path) for f in (kept, waiting, young, new)})

    def test_errors_can_be_pickled(self):
        error = pickle.loads(pickle.dumps(rv.NoFitError("no", "way out")))
        self.assertEqual((type(error), error.message, error.advice, error.exit_code), (rv.NoFitError, "no", "way out", 120))


class Sources(unittest.TestCase):
    def test_the_package_is_python_3_8(self):
        import ast
        for folder in ("python/rv", "python/packaging"):
            for name in os.listdir(os.path.join(ROOT, folder)):
                if name.endswith(".py"):
                    with open(os.path.join(ROOT, folder, name), encoding="utf-8") as file:
                        ast.parse(file.read(), name, feature_version=(3, 8))


if __name__ == "__main__":
    unittest.main()
