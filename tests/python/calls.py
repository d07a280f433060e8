"""For the tests: makes a call in a process of its own, as a job does, without Slurm."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))

from rv.calls import pickled_call, pickled_calls, write  # noqa: E402  pylint: disable=wrong-import-position


def write_call(function, args, kwargs, parent=None):
    return write(pickled_call(function, args, kwargs), parent=parent)


def run_job(folder, **variables):
    """Runs the call as a job does. Returns its exit code, stdout and stderr."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RV_", "RANK", "WORLD_"))}
    ended = subprocess.run([sys.executable, os.path.join(folder.path, "job.py")], env={**environment, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


def outcome_of(function, *args, **kwargs):
    with tempfile.TemporaryDirectory() as parent:
        folder = write_call(function, args, kwargs, parent)
        run_job(folder)
        return folder.outcome()


def value_of(function, *args, **kwargs):
    outcome = outcome_of(function, *args, **kwargs)
    if outcome.error:
        raise outcome.error
    return outcome.value


def values_of(function, items):
    with tempfile.TemporaryDirectory() as parent:
        folder = write(pickled_calls(function, items), parent=parent)
        for index in range(len(items)):
            run_job(folder, RV_ARRAY_INDEX=str(index))
        return [folder.outcome(index).value for index in range(len(items))]
