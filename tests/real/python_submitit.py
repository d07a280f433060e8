"""A script that was written for submitit, with one changed line. tests/real/python_submitit.sh runs it."""
import asyncio
import functools
import os
import pickle
import subprocess
import sys
import time
import unittest
from typing import List

import rv.submitit as submitit  # was: import submitit


def add(x: int, y: int) -> int:
    return x + y


def describe():
    environment = submitit.JobEnvironment()
    return (environment.job_id, environment.num_tasks, environment.num_nodes, environment.global_rank, environment.local_rank,
            environment.node, len(environment.hostnames))


class Counting(submitit.helpers.Checkpointable):
    """Its state travels from segment to segment."""

    def __init__(self):
        self.calls = []

    def __call__(self, name):
        self.calls.append((name, len(self.calls) + 1))
        print("called", name, flush=True)
        if name == "first":
            time.sleep(300)
        return self.calls

    def checkpoint(self, name):
        return submitit.helpers.DelayedSubmission(self, "after " + name)


class Executor(unittest.TestCase):
    def setUp(self):
        self.executor = submitit.AutoExecutor(folder="log")
        self.executor.update_parameters(timeout_min=5, slurm_partition="gpu-a40", gpus_per_node=1, cpus_per_task=2, mem_gb=4)

    def test_submit(self):
        job: submitit.Job[int] = self.executor.submit(add, 5, y=7)
        self.assertEqual(job.result(), 12)
        self.assertEqual((job.results(), job.exception(), job.done()), ([12], None, True))
        self.assertEqual(pickle.loads(pickle.dumps(job)).result(), 12)
        self.assertEqual(submitit.SlurmJob("log", job.job_id).result(), 12)
        call = job.submission()
        self.assertEqual((call.args, call.kwargs, call.result()), ((5,), {"y": 7}, 12))
        job.run.wait(60)
        self.assertEqual(job.state, "COMPLETED")

    def test_map_array_and_submit_array(self):
        self.executor.update_parameters(slurm_array_parallelism=2)
        jobs: List[submitit.Job[int]] = self.executor.map_array(add, [1, 2, 3], [10, 20, 30])
        self.assertEqual([job.result() for job in jobs], [11, 22, 33])
        self.assertEqual([job.job_id.split("_")[1] for job in jobs], ["0", "1", "2"])
        jobs = self.executor.submit_array([functools.partial(add, 1, 2), lambda: "other"])
        self.assertEqual([job.result() for job in jobs], [3, "other"])

    def test_batch_and_as_completed(self):
        with self.executor.batch():
            jobs = [self.executor.submit(add, number, number) for number in range(3)]
        self.assertEqual({job.result() for job in submitit.helpers.as_completed(jobs, poll_frequency=0.2)}, {0, 2, 4})
        with self.executor.batch(allow_implicit_submissions=True):
            self.assertEqual(self.executor.submit(add, 1, 1).result(), 2)

    def test_tasks(self):
        self.executor.update_parameters(nodes=2, tasks_per_node=2)
        job = self.executor.submit(describe)
        self.assertEqual(job.results(), [(job.job_id, 4, 2, 2 * node + local, local, node, 2) for node in (0, 1) for local in (0, 1)])
        self.assertEqual((job.num_tasks, job.task(3).result()[3]), (4, 3))

    def test_a_failing_function(self):
        job = self.executor.submit(add, 1, "x")
        with self.assertRaisesRegex(submitit.FailedJobError, r"Traceback(.*\n)*.*return x \+ y\n(.*\n)*TypeError"):
            job.result()
        self.assertIsInstance(job.exception(), submitit.UncompletedJobError)

    def test_one_of_several_processes_fails(self):
        def fail_in_one():
            if submitit.JobEnvironment().local_rank == 1:
                raise ValueError("rank 1")
            time.sleep(300)

        self.executor.update_parameters(tasks_per_node=2)
        began = time.monotonic()
        with self.assertRaisesRegex(submitit.FailedJobError, r"\(task 1\)(.*\n)*ValueError: rank 1"):
            self.executor.submit(fail_in_one).results()
        self.assertLess(time.monotonic() - began, 20)

    def test_output_and_setup(self):
        self.executor.update_parameters(slurm_setup=["export GREETING='hello  you'", "echo set up"])
        job = self.executor.submit(lambda: print(os.environ["GREETING"]) or print("aside", file=sys.stderr))
        job.wait()
        job.run.wait(60)
        self.assertEqual((job.stdout(), job.stderr()), ("set up\nhello  you\n", "aside\n"))
        self.assertEqual(submitit.Job("log", job.job_id).result(), None)
        self.executor.update_parameters(slurm_setup=[], stderr_to_stdout=True)
        job = self.executor.submit(print, "aside", file=None)
        job.run.wait(60)
        self.assertEqual((job.stdout(), job.stderr()), ("aside\n", None))

    def test_cancel(self):
        job = self.executor.submit(time.sleep, 300)
        self.assertFalse(job.done(force_check=True))
        job.cancel()
        self.assertIsInstance(job.exception(), submitit.UncompletedJobError)
        self.assertNotIsInstance(job.exception(), submitit.FailedJobError)
        self.assertEqual(job.state, "CANCELLED")
        job = self.executor.submit(time.sleep, 300).cancel_at_deletion()
        run = job.run
        del job
        self.assertEqual(run.wait(60).state, "stopped")

    def test_asyncio(self):
        async def both():
            jobs = [self.executor.submit(add, 1, number) for number in (1, 2)]
            return await asyncio.gather(*(job.awaitable().result() for job in jobs))

        self.assertEqual(asyncio.run(both()), [2, 3])

    def test_helpers(self):
        sequence = submitit.helpers.FunctionSequence()
        sequence.add(add, 1, 2)
        sequence.add(add, 3, 4)
        self.assertEqual(self.executor.submit(sequence).result(), [3, 7])
        self.assertEqual(self.executor.submit(submitit.helpers.CommandFunction(["echo", "hi"])).result(), "hi\n")

    def test_a_checkpoint_is_the_call_of_the_next_segment(self):
        self.executor.update_parameters(rv_checkpoint=True, rv_segment_time="5m", timeout_min=10)
        job = self.executor.submit(Counting(), "first")
        while job.stdout() is None:
            time.sleep(0.2)
        slurm_job = str(job.run.status().json["candidates"][0]["job_id"])
        subprocess.run(["scancel", "--batch", "--signal=USR1", slurm_job], check=True)
        self.assertEqual(job.result(), [("first", 1), ("after first", 2)])
        self.assertEqual([segment["reason"] for segment in job.run.wait(60).json["chain"]["segments"]], ["time_limit", "finished"])

    def test_what_does_not_fit_is_not_submitted(self):
        self.executor.update_parameters(gpus_per_node=5000)
        with self.assertRaises(submitit.FailedSubmissionError):
            self.executor.submit(add, 1, 2)


if __name__ == "__main__":
    unittest.main()
