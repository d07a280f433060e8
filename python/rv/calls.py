"""The folder of a call: the pickled function, the program that runs it in the job, and its results.

A folder is `$RV_HOME/python/TOKEN` with mode 0700: `call` (a line of JSON, then pickles), `job.py`, `results/` and, after
the submission, `run`, which contains the run's ID.
"""
import itertools
import json
import os
import pickle
import secrets
import shutil
import sys
import time
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import job
from .errors import Error, PickleError, RunFailed
from .pickling import dumps_arguments, dumps_call
from .program import Document

RESULTS = "results"
_KEEP_S = 30 * 24 * 3600  # rv gc keeps the folder of a run for as long


class Outcome(NamedTuple):
    """How one call ended: its value, or its exception."""

    value: Any
    error: Optional[BaseException]
    processes: int = 1  # of the run, each with an outcome of its own
    final: bool = True  # rv does not start the call again
    trace: str = ""  # of an exception: the traceback in the job


class RemoteTraceback(Exception):
    """The cause of an exception that comes from a job: the traceback there, as text."""

    def __str__(self) -> str:
        return "\n" + str(self.args[0])


def rv_home() -> str:
    return os.environ.get("RV_HOME") or os.path.expanduser("~/.rv")


class Folder:
    """The folder of one call or one array of calls."""

    def __init__(self, path: str) -> None:
        self.path = path

    def outcome(self, index: Optional[int] = None, rank: int = 0) -> Optional[Outcome]:
        """Reads a result. None: it is not there yet."""
        path = self._result(index, rank)
        if path is None:
            return None
        with open(path, "rb") as file:
            header = json.loads(file.readline())
            return _outcome(header, file.read())

    def is_final(self, index: Optional[int] = None, rank: int = 0) -> bool:
        """Returns whether a result is there and will not be replaced, without unpickling it."""
        path = self._result(index, rank)
        if path is None:
            return False
        with open(path, "rb") as file:
            return bool(json.loads(file.readline())["final"])

    def _result(self, index: Optional[int], rank: int) -> Optional[str]:
        name = job.result_name(None if index is None else str(index), rank)
        results = os.path.join(self.path, RESULTS)
        # On NFS, listing the folder fetches entries of other machines; opening a name alone may use an older answer.
        return os.path.join(results, name) if name in os.listdir(results) else None

    def has_results(self, index: Optional[int]) -> bool:
        """Returns whether any process has left a result."""
        start = job.result_name(None if index is None else str(index), 0)[:-1]
        return any(name.startswith(start) and not name.endswith(".part") for name in os.listdir(os.path.join(self.path, RESULTS)))

    def call(self, index: Optional[int] = None) -> Tuple[Any, Any, Any]:
        """Reads the pickled call: function, args and kwargs."""
        with open(os.path.join(self.path, job.CALL), "rb") as file:
            header = job.read_header(file)
            function, args, kwargs = job.read_call(file, header, None if index is None else str(index))
        if function is job.apply:  # an array of different functions
            function, args, kwargs = args
        return function, args, kwargs

    def note_run(self, run_id: str) -> None:
        job.write(os.path.join(self.path, "run"), [run_id.encode()])

    def note_repeats(self) -> None:
        job.write(os.path.join(self.path, job.REPEATS), [])

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _outcome(header: Document, body: bytes) -> Outcome:
    if not header["ok"]:
        return Outcome(None, _error(header, body), header["processes"], header["final"], header.get("traceback", ""))
    try:
        return Outcome(pickle.loads(body), None, header["processes"])
    except Exception as error:  # pylint: disable=broad-except
        return Outcome(None, PickleError(
            f"the result can't be unpickled: {type(error).__name__}: {error}",
            f"import the module of its class first; the job ran Python {header['python']}, this is {job.version()}"),
            header["processes"])


def _error(header: Document, body: bytes) -> BaseException:
    if header["kind"] == "version":
        return PickleError(header["message"], "submit with the interpreter that the job runs, or import the function from a module")
    if header["kind"] == "unpickle":
        return PickleError(f"the job can't unpickle the function: {header['message']}",
                           "install its modules where the job runs, and import them by the same names")
    if header["kind"] == "result":
        return PickleError(f"the result can't be pickled: {header['message']}", "return plain data, or write it to a file")
    try:
        error: BaseException = pickle.loads(body)
    except Exception:  # pylint: disable=broad-except
        return _as_text(header)
    if not isinstance(error, Exception):
        return _as_text(header)  # SystemExit and KeyboardInterrupt would end this process
    error.__cause__ = RemoteTraceback(header["traceback"])
    return error


def _as_text(header: Document) -> RunFailed:
    return RunFailed(f"the function raised {header['message']}\n{header['traceback']}", "", job.RAISED)


def pickled_call(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> List[bytes]:
    return [dumps_call(function, tuple(args), dict(kwargs))]


def pickled_calls(function: Any, items: Iterable[Tuple[Any, ...]]) -> List[bytes]:
    """The pickles of an array: the function, then the arguments of each element."""
    return [dumps_call(function, (), {}), *(dumps_arguments(function, item) for item in items)]


def write(pickles: List[bytes], module_path: Optional[List[str]] = None, parent: Optional[str] = None) -> Folder:
    """Writes the folder of a call. `module_path` is sys.path in the job (default: that of this process)."""
    parent = parent or os.path.join(rv_home(), "python")
    path = os.path.join(parent, secrets.token_hex(8))
    try:
        os.makedirs(parent, mode=0o700, exist_ok=True)
        remove_old(parent)
        os.mkdir(path, 0o700)
        os.mkdir(os.path.join(path, RESULTS), 0o700)
        shutil.copyfile(job.__file__, os.path.join(path, "job.py"))
        job.write(os.path.join(path, job.CALL), [_header(pickles, module_path), *pickles])
    except OSError as error:
        raise Error(f"can't write the call: {error}", "free some space, or set RV_HOME to a folder that the nodes share") from None
    return Folder(path)


def _header(pickles: List[bytes], module_path: Optional[List[str]]) -> bytes:
    """The first line of `call`: the version of Python, sys.path, and where the arguments of each element begin after it."""
    ends = list(itertools.accumulate(len(content) for content in pickles))
    path = [os.path.abspath(entry) for entry in sys.path] if module_path is None else module_path
    return json.dumps({"python": job.version(), "path": path, "offsets": ends[:-1]}).encode() + b"\n"


def remove_old(parent: str) -> None:
    """Removes calls that were submitted long ago and whose runs `rv gc` has removed."""
    for entry in os.scandir(parent):
        run = os.path.join(entry.path, "run")
        try:
            if time.time() - os.stat(run).st_mtime < _KEEP_S:
                continue
            with open(run, encoding="utf-8") as file:
                is_gone = not os.path.exists(os.path.join(rv_home(), "runs", file.read()))
        except OSError:
            continue  # it is being submitted, or belongs to somebody else
        if is_gone:
            shutil.rmtree(entry.path, ignore_errors=True)
