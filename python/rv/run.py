"""Runs: their state, output and results."""
import asyncio
import os
import shlex
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generator, Generic, List, Optional, TypeVar

from . import job, remote
from .calls import Folder, Outcome
from .errors import Error, RunFailed, WaitTimeout
from .program import Document, call
from .waiting import waiter

R = TypeVar("R")
T = TypeVar("T")
Steps = Generator[float, None, T]  # yields pauses in seconds, and returns a T

_VISIBLE_S = 20  # a result that a job has written is visible on this machine after at most this time


@dataclass(frozen=True)
class Status:
    """The record of a run at one moment. `json` has all keys (docs/json.md)."""

    id: str
    name: str
    state: str
    over: bool
    detail: str
    exit_code: Optional[int]
    nodes: str
    json: Document = field(repr=False, compare=False)


class Run(Generic[R]):
    """A run of rv, or one element of an array, with a result of type R. Run("wvftk6") attaches to an existing run by its ID or name."""

    def __init__(self, id: str, host: Optional[str] = None, element: Optional[int] = None, folder: Optional[Folder] = None) -> None:
        self.id = id
        self.host = host
        self.element = element
        self._folder = folder
        self._status: Optional[Status] = None
        self._outcomes: Dict[int, Outcome] = {}  # by rank

    def __reduce__(self) -> Any:
        return Run, (self.id, self.host, self.element, self._folder)

    def __repr__(self) -> str:
        return f"Run({self.id!r})" if self.element is None else f"Run({self.id!r}, element={self.element})"

    def status(self) -> Status:
        """Returns the record of the run. The record of a run that is over is read once."""
        if self._status is None or not self._status.over:
            self._status = _status(call(["show", self.id], self.host))
        return self._status

    @property
    def state(self) -> str:
        """The state that `rv ps` shows, for example queued, running, done, failed or stopped."""
        status = self.status()
        if self.element is None:
            return status.state
        return self._element_record(status).get("state", "stopped" if status.over else "queued")

    def done(self) -> bool:
        """Returns whether the run is over, or its function has returned."""
        return self.has_result() or self.status().over

    def has_result(self, rank: int = 0) -> bool:
        """Returns whether the function has returned, without a call of rv."""
        return rank in self._outcomes or self.folder is not None and self.folder.is_final(self.element, rank)

    def wait(self, timeout: Optional[float] = None) -> Status:
        """Waits until the run is over. A WaitTimeout after `timeout` seconds leaves the run as it is."""
        if not self.status().over:
            _drive(self._until(lambda: False, timeout))
        return self.status()

    def result(self, timeout: Optional[float] = None) -> R:
        """Waits, and returns what the function returned or what the command printed; raises what the function raised."""
        value: R = _value(self.outcome(timeout))
        return value

    def results(self, timeout: Optional[float] = None) -> List[R]:
        """The same for each process of the run, by rank."""
        first = self.outcome(timeout)
        return [_value(first), *(_value(self.outcome(timeout, rank)) for rank in range(1, first.processes))]

    def exception(self, timeout: Optional[float] = None) -> Optional[BaseException]:
        """Waits, and returns the error that result() would raise, or None."""
        return self.outcome(timeout).error

    def outcome(self, timeout: Optional[float] = None, rank: int = 0) -> Outcome:
        """Waits, and returns how the run, or one process of it, ended. Later calls return the same objects."""
        return _drive(self._ended(timeout, rank))

    async def aresult(self, timeout: Optional[float] = None) -> R:
        """result() for asyncio. `await run` is the same."""
        value: R = _value(await self.aoutcome(timeout))
        return value

    async def aoutcome(self, timeout: Optional[float] = None, rank: int = 0) -> Outcome:
        """outcome() for asyncio."""
        return await _adrive(self._ended(timeout, rank))

    def __await__(self) -> Generator[Any, None, R]:
        return self.aresult().__await__()

    def cancel(self) -> None:
        """Stops the run, or this element of it."""
        call(["stop", *self._named()], self.host)

    def logs(self, stream: Optional[str] = None) -> str:
        """Returns the output so far; only that of "stdout" or "stderr" if `stream` says so."""
        entries = call(["logs", *self._named()], self.host)["output"]
        return "".join(entry["text"] for entry in entries if stream in (None, entry["stream"]))

    def why(self) -> Document:
        """Returns the diagnosis of `rv why`: cause, summary, advice, proofs."""
        document = call(["why", *self._named()], self.host)
        diagnosis: Document = document if self.element is None else document["elements"][0]
        return diagnosis

    def _named(self) -> List[str]:
        return [self.id] if self.element is None else [self.id, "--element", str(self.element)]

    def _element_record(self, status: Status) -> Document:
        elements = (status.json["array"] or {}).get("elements", [])
        return next((entry for entry in elements if entry["index"] == self.element), {})

    @property
    def folder(self) -> Optional[Folder]:
        """The folder of the call, if the run is a function's. That of an attached run stands in its command."""
        if self._folder is None:
            for program in (self.status().json["runs"] or [])[-1:]:
                find = remote.folder_of if self.host else _folder_of
                self._folder = find(program) or find(_last_word(program))
        return self._folder

    def _ended(self, timeout: Optional[float], rank: int = 0) -> Steps[Outcome]:
        if rank not in self._outcomes:
            self._outcomes[rank] = yield from self._read_outcome(timeout, rank)
        return self._outcomes[rank]

    def _read_outcome(self, timeout: Optional[float], rank: int) -> Steps[Outcome]:
        """Waits for the outcome of the function, or for the end of the run."""
        if not self.has_result(rank):
            yield from self._until(lambda: self.has_result(rank), timeout)
        if self.folder is None:
            return self._command_outcome()
        if self.host and not self.has_result(rank):
            remote.fetch(self.id, self.host, self.folder)
        outcome = self.folder.outcome(self.element, rank)
        give_up = time.monotonic() + _VISIBLE_S
        while outcome is None and self._has_written(self.folder) and time.monotonic() < give_up:
            yield 0.5
            outcome = self.folder.outcome(self.element, rank)
        return outcome or Outcome(None, self._failure("without a result"))

    def _has_written(self, folder: Folder) -> bool:
        """Whether the job has written a result. If a process raises, rv ends the other ones, which then have none."""
        code = self._exit_code()
        return code == 0 or code == job.RAISED and not folder.has_results(self.element)

    def _exit_code(self) -> Optional[int]:
        status = self.status()
        code: Optional[int] = status.exit_code if self.element is None else self._element_record(status).get("exit_code")
        return code

    def _command_outcome(self) -> Outcome:
        code = self._exit_code()
        if code == 0:
            return Outcome(self.logs(), None)
        return Outcome(None, self._failure("without an exit code" if code is None else f"with exit code {code}"))

    def _failure(self, how: str) -> RunFailed:
        try:
            diagnosis = self.why()
        except Error as error:
            diagnosis = {"summary": str(error), "advice": ""}
        name = f"run {self.id}" if self.element is None else f"element {self.element} of run {self.id}"
        return RunFailed(f"{name} ended {how}: {diagnosis['summary']}", diagnosis["advice"], self._exit_code() or 0)

    def _until(self, is_early: Callable[[], bool], timeout: Optional[float]) -> Steps[None]:
        """Waits until the run is over, which `rv wait` reports, or until `is_early` returns true."""
        deadline = None if timeout is None else time.monotonic() + timeout
        run_id = self._status.id if self._status else self.id
        shared = waiter(self.host)
        shared.add(run_id)
        try:
            pause = 0.01
            while not is_early():
                document = shared.end_of(run_id)
                if document is not None:
                    self._status = _status(document)
                    return
                if deadline is not None and time.monotonic() >= deadline:
                    raise WaitTimeout(f"run {self.id} is not over after {timeout:g}s", "it continues: wait again, or cancel it")
                yield pause
                pause = min(pause * 1.2, 0.5)
        finally:
            shared.remove(run_id)


def _last_word(text: str) -> str:
    """The last word of a shell text: with set-up lines, that is the job.py of a call."""
    try:
        return shlex.split(text.splitlines()[-1])[-1]
    except (ValueError, IndexError):
        return ""


def _folder_of(program: str) -> Optional[Folder]:
    """The folder of the call that a program runs, if it is the job.py of one."""
    folder = os.path.dirname(program)
    is_call = os.path.basename(program) == "job.py" and os.path.exists(os.path.join(folder, job.CALL))
    return Folder(folder) if is_call else None


def _status(document: Document) -> Status:
    return Status(document["id"], document["name"], document["state"], document["over"], document["detail"], document["exit_code"],
                  document["nodes"], document)


def _value(outcome: Outcome) -> Any:
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def _drive(steps: Steps[T]) -> T:
    while True:
        try:
            pause = next(steps)
        except StopIteration as end:
            value: T = end.value
            return value
        time.sleep(pause)


async def _adrive(steps: Steps[T]) -> T:
    try:
        while True:
            try:
                pause = next(steps)
            except StopIteration as end:
                value: T = end.value
                return value
            await asyncio.sleep(pause)
    finally:
        steps.close()
