#!/usr/bin/env bash
# Runs submitit's own tests on rv.submitit, by hand. usage: RV=… RV_SANDBOX_DIR=… submitit_suite.sh SUBMITIT_SOURCES [PYTEST OPTIONS]
# A copy of the sources gets its modules replaced by names of rv.submitit: its local and debug executors are rv's executor, too.
# It needs pytest, pytest-asyncio and cloudpickle. Tests of submitit's own inner parts (fake executors, sbatch files) are left out.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/../real/lib.sh"
sources=${1:?the sources of submitit}
shift

copy=$work/submitit
cp -r "$sources/submitit" "$copy"
find "$copy" -name '*.py' ! -name 'test_*.py' ! -name conftest.py -delete
mkdir -p "$copy"/{core,local,slurm,auto}
touch "$copy"/{core,local,slurm,auto}/__init__.py
echo 'from rv.submitit import *
del helpers
from . import helpers' >"$copy/__init__.py"
echo 'from rv.submitit.helpers import *' >"$copy/helpers.py"
cat >>"$copy/helpers.py" <<'PYTHON'
class RsyncSnapshot:
    """rv.submitit has none."""

    @staticmethod
    def available():
        return False
PYTHON
for module in local debug; do
  printf 'from rv.submitit import AutoExecutor as %s\nfrom rv.submitit import Job as %s\n' \
    "${module^}Executor" "${module^}Job" >"$copy/local/$module.py"
done
echo 'from rv.submitit.environment import *' >"$copy/core/job_environment.py"
echo 'from rv.submitit.job import Job, R


class InfoWatcher:
    def __init__(self, delay_s=60):
        pass' >"$copy/core/core.py"
echo 'from rv.submitit import AutoExecutor' >"$copy/auto/auto.py"
cat >"$copy/core/utils.py" <<'PYTHON'
import contextlib
import os
import pickle

import cloudpickle
from rv.submitit.errors import *
from rv.submitit.helpers import CommandFunction, DelayedSubmission


@contextlib.contextmanager
def environment_variables(**kwargs):
    before = dict(os.environ)
    os.environ.update({name: str(value) for name, value in kwargs.items()})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def cloudpickle_dump(value, path):
    path.write_bytes(cloudpickle.dumps(value))


def pickle_load(path):
    return pickle.loads(path.read_bytes())
PYTHON
# test_core.py is also where other tests take their functions from; its fake executor has no counterpart.
cat >"$copy/core/test_core.py" <<'PYTHON'
import time


def _three_time(x):
    return 3 * x


def do_nothing(*args, **kwargs):
    print("my args", args, flush=True)
    if "sleep" in kwargs:
        time.sleep(int(kwargs["sleep"]))
    if kwargs.get("error", False):
        raise ValueError("Too bad")
    return 12
PYTHON
rm -f "$copy"/slurm/test_*.py "$copy"/core/test_{async,plugins,submission,utils}.py "$copy"/test_{documentation,snapshot}.py
echo 'def mocked_slurm():
    import contextlib
    return contextlib.nullcontext()' >"$copy/slurm/test_slurm.py"

# Each job's folder must be on a file system that the nodes share.
export RV PYTHONPATH="$root/python:$work" PYTHONDONTWRITEBYTECODE=1
cd "$work"
python3 -m pytest -p no:cacheprovider --basetemp "$work/tmp" -q -rA --tb=line submitit "$@" || true
