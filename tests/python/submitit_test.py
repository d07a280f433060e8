"""submitit's parameters as options of rv, and batches, without Slurm."""
import tempfile
import unittest
import warnings

from calls import ROOT  # noqa: F401  pylint: disable=unused-import

import rv.submitit as submitit
from rv.submitit.parameters import check, request


def options_of(**given):
    return request(check(given)).options


class Parameters(unittest.TestCase):
    def test_shared_parameters_become_options(self):
        self.assertEqual(
            options_of(name="fit", timeout_min=90, mem_gb=3.5, nodes=2, cpus_per_task=4, gpus_per_node=4, tasks_per_node=2),
            {"gpu": 8, "time": "5400s", "nodes": 2, "name": "fit", "separate_stderr": True, "procs_per_node": 2, "mem": "3584M", "cpus": 8})

    def test_without_parameters_a_job_has_no_gpu_and_five_minutes(self):
        self.assertEqual(options_of(), {"gpu": 0, "time": "300s", "nodes": 1, "name": "submitit", "separate_stderr": True})

    def test_slurm_parameters_become_options_or_go_to_sbatch(self):
        options = options_of(slurm_partition="gpu-a40", slurm_time="1:00:00", slurm_gres="gpu:a100:2", slurm_comment="x",
                             slurm_additional_parameters={"reservation": "r"}, slurm_ntasks_per_node=2, slurm_cpus_per_gpu=3)
        self.assertEqual((options["partition"], options["time"], options["gpu"], options["type"], options["procs_per_node"], options["cpus"]),
                         ("gpu-a40", "1:00:00", 2, "a100", 2, 6))
        self.assertEqual(options["sbatch"], {"comment": "x", "reservation": "r"})

    def test_a_slurm_parameter_replaces_the_shared_one(self):
        self.assertEqual(options_of(timeout_min=60, slurm_time=120)["time"], "7200s")
        self.assertEqual(options_of(tasks_per_node=2, slurm_ntasks_per_node=3)["procs_per_node"], 3)

    def test_options_of_rv_have_a_prefix(self):
        self.assertEqual(options_of(rv_type=["a40", "a100"], rv_retries=2)["type"], ["a40", "a100"])

    def test_parameters_of_other_executors_have_no_effect(self):
        self.assertEqual(options_of(local_setup=["x"], debug_anything=1), options_of())

    def test_wrong_parameters_are_errors(self):
        with self.assertRaisesRegex(AssertionError, 'parameter "mem_gb": expected int'):
            check({"mem_gb": "2GB"})
        with self.assertRaisesRegex(NameError, "unknown parameter 'slurm_host_filter'\n.*shared parameters: name, "):
            check({"slurm_host_filter": 1})
        with self.assertRaises(NameError):
            check({"blublu": 2})
        with self.assertRaises(TypeError):
            submitit.AutoExecutor("log", slurm_foobar=22)
        with self.assertRaisesRegex(ValueError, "cluster='local'"):
            submitit.AutoExecutor("log", cluster="local")
        with self.assertWarnsRegex(UserWarning, "'slurm_partition'"):
            self.assertEqual(check({"partition": "p"}), {"partition": "p"})


class Batches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.executor = submitit.AutoExecutor(folder.name)

    def test_a_job_of_a_batch_cannot_be_used_before_the_end(self):
        with self.assertRaises(AttributeError), self.executor.batch():
            self.executor.submit(print).job_id  # pylint: disable=expression-not-assigned
        with self.assertRaises(RuntimeError), self.executor.batch():
            self.executor.update_parameters(nodes=2)
        with self.assertRaises(RuntimeError), self.executor.batch():
            with self.executor.batch():
                pass

    def test_an_empty_batch_or_array_is_a_warning(self):
        with self.assertWarns(RuntimeWarning), self.executor.batch():
            pass
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(self.executor.map_array(print, []), [])
        self.assertEqual(len(caught), 1)

    def test_outside_a_job_there_is_no_environment(self):
        with self.assertRaises(RuntimeError):
            submitit.JobEnvironment()


if __name__ == "__main__":
    unittest.main()
