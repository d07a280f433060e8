"""Submits commands and functions."""
import shlex
from typing import Any, Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Union, overload

from .calls import Folder, write_call, write_calls
from .errors import NoFitError, UsageError
from .options import arguments
from .program import call
from .run import Run

Command = Union[str, Sequence[str], Callable[..., Any]]


class Array(Sequence[Run]):
    """The runs of rv.map(): one run of rv whose elements are Run objects, in the order of the arguments."""

    def __init__(self, id: str, runs: Sequence[Run]) -> None:
        self.id = id
        self.runs = list(runs)

    def __repr__(self) -> str:
        return f"Array({self.id!r}, {len(self)} elements)"

    def __len__(self) -> int:
        return len(self.runs)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> List[Run]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Run, List[Run]]:
        return self.runs[index]

    def result(self, timeout: Optional[float] = None) -> List[Any]:
        """Waits, and returns the results in order. Raises the first error."""
        return [run.result(timeout) for run in self.runs]

    async def aresult(self) -> List[Any]:
        """result() for asyncio."""
        return [await run.aresult() for run in self.runs]

    def cancel(self) -> None:
        """Stops all elements."""
        Run(self.id, self.runs[0].host).cancel()


def submit(command: Command, *args: Any, host: Optional[str] = None, **options: Any) -> Run:
    """Submits a command or a call of a function. The options are those of `rv run`: submit(train, 0.1, gpu=4, time="2h").

    A string is a shell line, a list is an argument vector. The arguments of a function stand behind it; its keyword arguments
    are passed with functools.partial.
    """
    if callable(command):
        _refuse_host(host)
        return submit_call(command, args, {}, options)
    words = [str(word) for word in ([command] if isinstance(command, str) else command)] + [str(word) for word in args]
    return Run(_start(options, words, host), host)


def map(function: Callable[..., Any], *iterables: Iterable[Any], at_once: Optional[int] = None, host: Optional[str] = None,
        **options: Any) -> Array:
    """Calls a function with each item, as the built-in map does, in an array of jobs; at most `at_once` of them at a time."""
    _refuse_host(host)
    return submit_calls(function, list(zip(*iterables)), at_once, options)


def submit_call(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], options: Mapping[str, Any],
                parent: Optional[str] = None, setup: Sequence[str] = ()) -> Run:
    """Submits one call; its files are in a new folder in `parent` (default: $RV_HOME/python). `setup`: shell lines before it."""
    _refuse_array(options)
    folder = write_call(function, args, kwargs, parent)
    return Run(_submit(folder, options, setup), folder=folder)


def submit_calls(function: Any, items: Sequence[Any], at_once: Optional[int], options: Mapping[str, Any],
                 parent: Optional[str] = None, setup: Sequence[str] = ()) -> Array:
    """The same for an array of calls; `items` are their arguments."""
    _refuse_array(options)
    if not items:
        raise UsageError("there is nothing to submit: no items", "pass at least one item")
    folder = write_calls(function, items, parent)
    indices = f"0-{len(items) - 1}" + (f"%{at_once}" if at_once else "")
    run_id = _submit(folder, {**options, "array": indices}, setup)
    return Array(run_id, [Run(run_id, element=index, folder=folder) for index in range(len(items))])


def _start(options: Mapping[str, Any], words: Sequence[str], host: Optional[str] = None) -> str:
    """Calls `rv run` and returns the run's ID. If nothing fits, rv prints the plan instead."""
    document = call(["run", *arguments(options), *words], host)
    if "id" not in document:
        reasons = "; ".join(f"{entry['gpu_type'] or 'CPUs'}: {entry['reason']}" for entry in document["rejected"])
        raise NoFitError(f"no partition fits the request: {reasons}", "ask for less; rv.plan() shows what fits")
    run_id: str = document["id"]
    return run_id


def _submit(folder: Folder, options: Mapping[str, Any], setup: Sequence[str]) -> str:
    try:
        if any(options.get(name) for name in ("retries", "requeue", "checkpoint")):
            folder.note_repeats()
        # The interpreter is known, so rv need not prepare the project's environment.
        run_id = _start({"no_deps": True, **options}, _with_setup(setup, folder.command))
    except BaseException:
        folder.remove()
        raise
    folder.note_run(run_id)
    return run_id


def _with_setup(setup: Sequence[str], command: List[str]) -> List[str]:
    if not setup:
        return command
    return ["\n".join([*setup, "exec " + " ".join(shlex.quote(word) for word in command)])]


def _refuse_array(options: Mapping[str, Any]) -> None:
    if "array" in options:
        raise UsageError("array= can't be used with a function", "use rv.map(function, items)")


def _refuse_host(host: Optional[str]) -> None:
    if host:
        raise UsageError("host= can't be used with a function", "run this program on the login node, or submit a command")
