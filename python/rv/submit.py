"""Submits commands and functions."""
import os
import shlex
import sys
from typing import Any, Callable, Generic, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union, overload

from . import remote
from .calls import RESULTS, Folder, pickled_call, pickled_calls, write
from .errors import NoFitError, SlurmError, UsageError
from .options import arguments
from .program import Document, call
from .run import Run

R = TypeVar("R")
Command = Union[str, Sequence[str], Callable[..., Any]]


class Array(Sequence["Run[R]"], Generic[R]):
    """The runs of rv.map(): one run of rv whose elements are Run objects, in the order of the arguments."""

    def __init__(self, id: str, runs: Sequence["Run[R]"]) -> None:
        self.id = id
        self.runs = list(runs)

    def __repr__(self) -> str:
        return f"Array({self.id!r}, {len(self)} elements)"

    def __len__(self) -> int:
        return len(self.runs)

    @overload
    def __getitem__(self, index: int) -> "Run[R]": ...
    @overload
    def __getitem__(self, index: slice) -> "List[Run[R]]": ...
    def __getitem__(self, index: Union[int, slice]) -> "Union[Run[R], List[Run[R]]]":
        return self.runs[index]

    def result(self, timeout: Optional[float] = None) -> List[R]:
        """Waits, and returns the results in order. Raises the first error."""
        return [run.result(timeout) for run in self.runs]

    async def aresult(self) -> List[R]:
        """result() for asyncio."""
        return [await run.aresult() for run in self.runs]

    def cancel(self) -> None:
        """Stops all elements."""
        Run[Any](self.id, self.runs[0].host).cancel()


class Place(NamedTuple):
    """Where a call runs and where its files are."""

    host: Optional[str] = None
    python: Optional[str] = None  # the interpreter (default: this one; over ssh: python3)
    parent: Optional[str] = None  # of the call's folder (default: $RV_HOME/python)
    setup: Sequence[str] = ()  # shell lines before the call


@overload
def submit(command: Union[str, Sequence[str]], *args: Any, host: Optional[str] = None, **options: Any) -> "Run[str]": ...
@overload
def submit(command: Callable[..., R], *args: Any, host: Optional[str] = None, python: Optional[str] = None,
           **options: Any) -> "Run[R]": ...
def submit(command: Command, *args: Any, host: Optional[str] = None, python: Optional[str] = None, **options: Any) -> "Run[Any]":
    """Submits a command or a call of a function. The options are those of `rv run`: submit(train, 0.1, gpu=4, time="2h").

    A string is a shell command, a list is an argument vector. The arguments of a function stand behind it; its keyword arguments
    are passed with functools.partial. `python` is the interpreter of a function in the job.
    """
    if callable(command):
        return submit_call(command, args, {}, options, Place(host, python))
    words = [str(word) for word in ([command] if isinstance(command, str) else command)] + [str(word) for word in args]
    return Run(_accepted(_start(options, words, host)), host)


def map(function: Callable[..., R], *iterables: Iterable[Any], at_once: Optional[int] = None, host: Optional[str] = None,
        python: Optional[str] = None, **options: Any) -> "Array[R]":
    """Calls a function with each item, as the built-in map does, in an array of jobs; at most `at_once` of them at a time."""
    return submit_calls(function, list(zip(*iterables)), at_once, options, Place(host, python))


def submit_call(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], options: Mapping[str, Any],
                place: Place = Place()) -> "Run[Any]":
    """Submits one call."""
    run_id, folder = _submit(pickled_call(function, args, kwargs), options, place)
    return Run(run_id, place.host, folder=folder)


def submit_calls(function: Any, items: Sequence[Any], at_once: Optional[int], options: Mapping[str, Any],
                 place: Place = Place()) -> "Array[Any]":
    """Submits an array of calls; `items` are their arguments."""
    if not items:
        raise UsageError("there is nothing to submit: no items", "pass at least one item")
    indices = f"0-{len(items) - 1}" + (f"%{at_once}" if at_once else "")
    run_id, folder = _submit(pickled_calls(function, items), options, place, indices)
    return Array(run_id, [Run(run_id, place.host, index, folder) for index in range(len(items))])


def _start(options: Mapping[str, Any], words: Sequence[str], host: Optional[str] = None, cwd: Optional[str] = None) -> Document:
    """Calls `rv run` and returns the record of the run. If nothing fits, rv prints the plan instead."""
    # rv reads a first argument with blanks as a shell line, unless "--" stands before it.
    is_vector = len(words) > 1 and " " in words[0]
    document = call(["run", *arguments(options), *(["--"] if is_vector else []), *words], host, cwd)
    if "id" not in document:
        reasons = "; ".join(f"{entry['gpu_type'] or 'CPUs'}: {entry['reason']}" for entry in document["rejected"])
        raise NoFitError(f"no partition fits the request: {reasons}", "ask for less; rv.plan() shows what fits")
    return document


def _accepted(document: Document) -> str:
    """The ID of a run, unless Slurm has refused it already."""
    run_id: str = document["id"]
    if document["state"] == "refused":
        raise SlurmError(f"Slurm refused every candidate of run {run_id}: {document['detail']}", f"rv show {run_id} has the messages")
    return run_id


def _submit(pickles: List[bytes], options: Mapping[str, Any], place: Place, indices: Optional[str] = None) -> Tuple[str, Folder]:
    """Writes the call and starts it. A request that is refused leaves no files."""
    _refuse(options, place)
    folder = write(pickles, remote.module_path(sys.path) if place.host else None, place.parent)
    try:
        if any(options.get(name) for name in ("retries", "requeue", "checkpoint")):
            folder.note_repeats()
        if place.host:
            document = _start_remote(folder, {**options, "array": indices}, place)
        else:
            # The interpreter is known, so rv need not prepare the project's environment.
            words = _with_setup(place.setup, [place.python or sys.executable, os.path.join(folder.path, "job.py")])
            document = _start({"no_deps": True, **options, "array": indices}, words)
    except (UsageError, NoFitError):
        folder.remove()  # nothing was submitted; after other errors, the run may exist
        raise
    folder.note_run(document["id"])
    return _accepted(document), folder


def _start_remote(folder: Folder, options: Mapping[str, Any], place: Place) -> Document:
    given = options.get("output") or []
    with remote.staged(folder) as stage:
        output = [*([given] if isinstance(given, str) else given), f"{stage.name}/{RESULTS}"]
        words = _with_setup(place.setup, [place.python or "python3", f"{stage.name}/job.py"])
        return _start({**options, "output": output}, words, place.host, stage.working_folder)


def _refuse(options: Mapping[str, Any], place: Place) -> None:
    if "array" in options:
        raise UsageError("array= can't be used with a function", "use rv.map(function, items)")
    if place.host and options.get("no_sync"):
        raise UsageError("no_sync= can't be used with a function and host=", "leave it out: the call travels with the project's files")


def _with_setup(setup: Sequence[str], command: List[str]) -> List[str]:
    if not setup:
        return command
    return ["\n".join([*setup, "exec " + " ".join(shlex.quote(word) for word in command)])]
