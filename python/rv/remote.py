"""Functions on a login node that is reached over ssh.

The call travels with the project's files, which `rv -H` pushes, and the results come back as output of the run (`rv pull`).
"""
import contextlib
import os
import shutil
import tempfile
import time
from typing import Iterator, List, NamedTuple, Optional

from . import job
from .calls import RESULTS, Folder, rv_home
from .program import call

_PREFIX = "rv-call-"
_COPIED_S = 60  # the job copies its output within this time after its end


class Stage(NamedTuple):
    """Where rv is called, and the call's folder there."""

    working_folder: str
    name: str


def project_of(folder: str) -> Optional[str]:
    """The project of a folder, as rv finds it (docs/remote.md)."""
    home = os.path.realpath(os.path.expanduser("~"))
    folder = os.path.realpath(folder)
    while True:
        marks = (".rvignore",) if folder == home else (".git", ".rvignore")
        if any(os.path.exists(os.path.join(folder, mark)) for mark in marks):
            return folder
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)


def module_path(path: List[str]) -> List[str]:
    """The entries of sys.path that travel with the project, relative to the current folder."""
    project = project_of(os.getcwd())
    if project is None:
        return []
    inside = [os.path.realpath(entry) for entry in path]
    return [os.path.relpath(entry, os.path.realpath(os.getcwd())) for entry in inside
            if entry == project or entry.startswith(project + os.sep)]


@contextlib.contextmanager
def staged(folder: Folder) -> Iterator[Stage]:
    """Copies the call into the current folder until rv has pushed it; outside a project, into one of the package."""
    here = os.getcwd()
    if project_of(here) is None:
        here = os.path.join(rv_home(), "python", "project")
        os.makedirs(here, mode=0o700, exist_ok=True)
        open(os.path.join(here, ".rvignore"), "a").close()
    stage = Stage(here, _PREFIX + os.path.basename(folder.path))
    copy = os.path.join(stage.working_folder, stage.name)
    shutil.copytree(folder.path, copy)
    try:
        yield stage
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def folder_of(program: str) -> Optional[Folder]:
    """The folder on this machine for the results of a run, from the program that the run executes."""
    name, file = os.path.split(program)
    if file != "job.py" or not name.startswith(_PREFIX):
        return None
    path = os.path.join(rv_home(), "python", name[len(_PREFIX):])
    os.makedirs(os.path.join(path, RESULTS), mode=0o700, exist_ok=True)
    return Folder(path)


def fetch(run_id: str, host: str, folder: Folder) -> None:
    """Copies the results of a run that is over into its folder on this machine."""
    give_up = time.monotonic() + _COPIED_S
    with tempfile.TemporaryDirectory(dir=folder.path) as pulled:
        while call(["pull", run_id, pulled], host)["copy_is_open"] and time.monotonic() < give_up:
            time.sleep(1)
        for place, _, names in os.walk(pulled):
            for name in names:
                if name.startswith(job.RESULT):
                    os.replace(os.path.join(place, name), os.path.join(folder.path, RESULTS, name))
