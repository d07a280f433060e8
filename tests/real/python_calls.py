"""A user's script with the rv package on a real Slurm. tests/real/python.sh runs it."""
import asyncio
import functools
import os
import pickle
import shutil
import threading
import time
import unittest
import unittest.mock
from dataclasses import dataclass

import rv
from rv import waiting

OPTIONS = {"gpu": 1, "type": "a40", "time": "5m"}
SCALE = 10


@dataclass
class Point:
    x: int

    def scaled(self):
        return Point(self.x * SCALE)


def where(point):
    print("says", point.x)
    return point.scaled(), os.environ["RV_RUN_ID"], os.environ["SLURM_JOB_PARTITION"]


def fail():
    raise ZeroDivisionError("on purpose")


def once(path, exit_code=None):
    """Appends a line for each start."""
    with open(path, "a", encoding="utf-8") as file:
        file.write("started\n")
    if exit_code is not None:
        os._exit(exit_code)


def folders():
    return set(os.listdir(os.path.join(os.environ["RV_HOME"], "python")))


class Commands(unittest.TestCase):
    def test_a_shell_line_returns_its_output(self):
        run = rv.submit('echo "$SLURM_JOB_PARTITION"; echo to stderr >&2', separate_stderr=True, name="line", **OPTIONS)
        self.assertEqual(run.result(60), "gpu-a40\nto stderr\n")
        self.assertEqual((run.logs("stdout"), run.logs("stderr")), ("gpu-a40\n", "to stderr\n"))
        self.assertEqual((run.state, run.status().name, run.status().exit_code), ("done", "line", 0))
        self.assertTrue(run.done())

    def test_an_argument_vector_stays_as_it_is(self):
        self.assertEqual(rv.submit(["printf", "%s|", "a b", "$HOME", ""], **OPTIONS).result(60), "a b|$HOME||")
        self.assertEqual(rv.submit("printf", "%s|", "a b", 3, **OPTIONS).result(60), "a b|3|")
        os.symlink("/usr/bin/printf", "a printf")
        self.assertEqual(rv.submit(["./a printf", "%s|", "--gpu", "9"], **OPTIONS).result(60), "--gpu|9|")

    def test_a_command_that_fails_raises_its_exit_code_and_cause(self):
        run = rv.submit("echo 'ModuleNotFoundError: No module named numpy' >&2; exit 4", **OPTIONS)
        with self.assertRaisesRegex(rv.RunFailed, f"run {run.id} ended with exit code 4: ") as raised:
            run.result(60)
        self.assertEqual((raised.exception.exit_code, bool(raised.exception.advice)), (4, True))

    def test_a_run_that_follows_another_and_one_that_does_not_exist(self):
        first = rv.submit("true", **OPTIONS)
        self.assertEqual(rv.submit("echo after", after=first, **OPTIONS).result(60), "after\n")
        for call in (rv.Run("nosuchrun").wait, rv.Run("nosuchrun").status):
            with self.assertRaises(rv.NoSuchRunError):
                call()

    def test_what_does_not_fit_is_an_error_before_the_submission(self):
        with self.assertRaisesRegex(rv.NoFitError, "a40: gpu-a40 allows 4 nodes a job") as raised:
            rv.submit("true", gpu=5000)
        self.assertEqual(raised.exception.exit_code, 120)


class Functions(unittest.TestCase):
    def test_a_function_of_the_script_returns_an_object_of_the_script(self):
        run = rv.submit(where, Point(4), **OPTIONS)
        point, run_id, partition = run.result(60)
        self.assertEqual((point, run_id, partition), (Point(40), run.id, "gpu-a40"))
        self.assertIs(run.result(), run.result())
        run.wait(60)
        self.assertEqual((run.logs(), run.state), ("says 4\n", "done"))
        # Another process, or another object, finds the result by the run's ID.
        self.assertEqual(rv.Run(run.id).result()[0], Point(40))
        self.assertEqual(pickle.loads(pickle.dumps(run)).result()[0], Point(40))

    def test_a_closure_and_a_partial(self):
        factor = 3
        self.assertEqual(rv.submit(lambda x: x * factor * SCALE, 2, **OPTIONS).result(60), 60)
        self.assertEqual(rv.submit(functools.partial(int, base=2), "101", **OPTIONS).result(60), 5)

    def test_a_function_starts_once(self):
        rv.submit(once, "starts", **OPTIONS).wait(60)
        with open("starts", encoding="utf-8") as file:
            self.assertEqual(file.read(), "started\n")

    def test_an_exception_comes_back(self):
        run = rv.submit(fail, **OPTIONS)
        with self.assertRaisesRegex(ZeroDivisionError, "on purpose") as raised:
            run.result(60)
        self.assertIn('raise ZeroDivisionError("on purpose")', str(raised.exception.__cause__))
        self.assertIsInstance(run.exception(), ZeroDivisionError)
        self.assertEqual(run.wait(60).state, "failed")
        self.assertIn("ZeroDivisionError: on purpose", run.logs())

    def test_retries_bring_the_result_of_the_last_start(self):
        def second_time():
            once("tries")
            with open("tries", encoding="utf-8") as file:
                tries = len(file.readlines())
            if tries < 2:
                raise RuntimeError("the first time")
            return tries

        self.assertEqual(rv.submit(second_time, retries=2, **OPTIONS).result(100), 2)

    def test_a_run_that_ends_without_a_result_says_why(self):
        run = rv.submit(once, "ends", 3, **OPTIONS)
        began = time.monotonic()
        with self.assertRaisesRegex(rv.RunFailed, f"run {run.id} ended without a result: .*exit code 3") as raised:
            run.result(60)
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(raised.exception.exit_code, 3)

    def test_a_cancelled_run(self):
        run = rv.submit(time.sleep, 300, **OPTIONS)
        with self.assertRaisesRegex(rv.WaitTimeout, "is not over after 1s"):
            run.result(1)
        with self.assertRaises(TimeoutError):
            run.wait(0.1)
        self.assertFalse(run.done())
        run.cancel()
        self.assertEqual(run.wait(60).state, "stopped")
        with self.assertRaisesRegex(rv.RunFailed, "stop"):
            run.result()

    def test_what_cannot_be_pickled_is_refused_and_leaves_nothing(self):
        before, lock = folders(), threading.Lock()
        with self.assertRaisesRegex(rv.PickleError, "the variable lock of .* can't be pickled.*\nhint: create it inside"):
            rv.submit(lambda: lock.acquire(), **OPTIONS)
        self.assertEqual(folders(), before)

    def test_each_process_has_a_result(self):
        run = rv.submit(lambda: (int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])), nodes=2, procs_per_node=2,
                        **{**OPTIONS, "gpu": 2})
        self.assertEqual(run.results(60), [(0, 4), (1, 4), (2, 4), (3, 4)])


class Arrays(unittest.TestCase):
    def test_map_returns_the_results_in_order(self):
        array = rv.map(lambda a, b: Point(a - b), [5, 6, 7], [1, 2, 7], at_once=2, **OPTIONS)
        self.assertEqual(len(array), 3)
        self.assertEqual(array.result(60), [Point(4), Point(4), Point(0)])
        rv.Run(array.id).wait(60)
        self.assertEqual([run.state for run in array], ["done"] * 3)

    def test_an_element_that_fails_is_an_error_of_its_own(self):
        array = rv.map(lambda x: 6 // x, [1, 0, 3], **OPTIONS)
        self.assertEqual((array[0].result(60), array[2].result(60)), (6, 2))
        self.assertIsInstance(array[1].exception(60), ZeroDivisionError)
        with self.assertRaises(ZeroDivisionError):
            array.result()
        rv.Run(array.id).wait(60)
        self.assertIn("ZeroDivisionError", array[1].logs())
        self.assertEqual([run.state for run in array], ["done", "failed", "done"])

    def test_one_element_is_cancelled(self):
        array = rv.map(lambda x: time.sleep(x) or x, [0, 300], **OPTIONS)
        self.assertEqual(array[0].result(60), 0)
        array[1].cancel()
        self.assertIsInstance(array[1].exception(60), rv.RunFailed)

    def test_an_element_that_dies_says_why(self):
        array = rv.map(once, ["dies", "dies"], [3, None], **OPTIONS)
        with self.assertRaisesRegex(rv.RunFailed, f"element 0 of run {array.id} ended without a result: .*exit code 3"):
            array[0].result(60)
        self.assertIsNone(array[1].result(60))

    def test_an_array_beyond_the_sites_limit(self):
        with self.assertRaisesRegex(rv.UsageError, "4999 is beyond the largest index of this cluster, 1000"):
            rv.map(str, range(5000), **OPTIONS)


class Async(unittest.TestCase):
    def test_runs_are_awaited_together(self):
        async def squares():
            runs = [rv.submit(lambda x=x: x * x, **OPTIONS) for x in range(3)]
            failing = rv.submit(fail, **OPTIONS)
            with self.assertRaises(ZeroDivisionError):
                await failing
            return await asyncio.gather(*runs)

        self.assertEqual(asyncio.run(squares()), [0, 1, 4])

    def test_many_waits_share_one_program(self):
        started = []

        class Counted(waiting._Program):
            def __init__(self, runs, host):
                started.append(runs)
                super().__init__(runs, host)

        async def wait_for_all():
            # On a busy machine a run could end before the last is submitted.
            runs = [rv.submit("until [ -e all_are_awaited ]; do sleep 0.1; done", **OPTIONS) for _ in range(6)]
            lost = rv.submit(once, "dies", 3, **OPTIONS)

            async def end_them():
                for _ in range(600):
                    if any(len(runs) >= 6 for runs in started):
                        break
                    await asyncio.sleep(0.1)
                open("all_are_awaited", "w").close()

            results = await asyncio.gather(*runs, lost.aresult(), end_them(), return_exceptions=True)
            self.assertEqual(results[:6], [""] * 6)
            self.assertIsInstance(results[6], rv.RunFailed)

        with unittest.mock.patch.object(waiting, "_Program", Counted):
            asyncio.run(wait_for_all())
        self.assertGreaterEqual(max(len(runs) for runs in started), 6)
        self.assertLess(len(started), 15)
        self.assertEqual(waiting.waiter(None)._counts, {})

    def test_a_run_that_vanishes_ends_no_other_wait(self):
        async def wait_for_both():
            run, vanished = rv.submit("sleep 3", **OPTIONS), rv.submit("true", **OPTIONS)
            vanished.wait(60)
            vanished._status = None
            shutil.rmtree(os.path.join(os.environ["RV_HOME"], "runs", vanished.id))
            return await asyncio.gather(run, vanished, return_exceptions=True)

        result, error = asyncio.run(wait_for_both())
        self.assertEqual(result, "")
        self.assertIsInstance(error, rv.NoSuchRunError)

    def test_a_wait_that_is_given_up_leaves_the_run(self):
        async def brief():
            run = rv.submit(time.sleep, 300, **OPTIONS)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(run.aresult(), 1)
            self.assertFalse(run.done())
            run.cancel()

        asyncio.run(brief())


if __name__ == "__main__":
    unittest.main()
