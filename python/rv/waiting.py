"""Waits for runs: one `rv wait --any` for all runs that this process waits for, so that rv queries Slurm once for all of them."""
import subprocess
import tempfile
import threading
import time
from typing import IO, Dict, FrozenSet, Optional, Union

from .errors import Error
from .program import Document, argv, call, read

_RESTART_S = 1.0  # a new run joins the others, and a run that is over leaves them, at most once in this time


class _Program:
    """A running `rv wait --any`."""

    def __init__(self, runs: FrozenSet[str], host: Optional[str]) -> None:
        self.runs = runs
        self._out: IO[bytes] = tempfile.TemporaryFile()
        self._err: IO[bytes] = tempfile.TemporaryFile()
        command = argv(["wait", "--any", "--json", *sorted(runs)], host)
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err)

    def is_over(self) -> bool:
        return self._process.poll() is not None

    def document(self) -> Document:
        self._out.seek(0)
        self._err.seek(0)
        return read(self._process.returncode, self._out.read(), self._err.read())

    def close(self) -> None:
        if not self.is_over():
            self._process.terminate()
            self._process.wait()
        self._out.close()
        self._err.close()


class Waiter:
    """The runs of one host that this process waits for. Its methods may be called from several threads."""

    def __init__(self, host: Optional[str]) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._counts: Dict[str, int] = {}  # who waits for a run
        self._ends: Dict[str, Union[Document, Error]] = {}
        self._program: Optional[_Program] = None
        self._next_start = 0.0

    def add(self, run: str) -> None:
        with self._lock:
            self._counts[run] = self._counts.get(run, 0) + 1

    def remove(self, run: str) -> None:
        with self._lock:
            self._counts[run] -= 1
            if self._counts[run] == 0:
                del self._counts[run]
                self._ends.pop(run, None)
            if not self._counts and self._program:
                self._program.close()
                self._program = None

    def end_of(self, run: str) -> Optional[Document]:
        """Returns the record of a run that was added, if it is over. Does not block."""
        with self._lock:
            self._collect()
            end = self._ends.get(run)
            if isinstance(end, Error):
                raise end
            if end is None:
                self._include(run)
            return end

    def _include(self, run: str) -> None:
        if self._program and run in self._program.runs or time.monotonic() < self._next_start:
            return
        if self._program:
            self._program.close()
        self._program = _Program(frozenset(run for run in self._counts if run not in self._ends), self._host)
        self._next_start = time.monotonic() + _RESTART_S

    def _collect(self) -> None:
        if self._program is None or not self._program.is_over():
            return
        try:
            documents = self._program.document()["runs"]
            self._ends.update((document["id"], document) for document in documents if document["over"])
        except Error as error:
            self._find_error(self._program.runs, error)
        finally:
            self._program.close()
            self._program = None

    def _find_error(self, runs: FrozenSet[str], error: Error) -> None:
        """An error of one run must not end the wait for others."""
        for run in runs & self._counts.keys():
            try:
                document = call(["show", run], self._host) if len(runs) > 1 else None
                if document is None or document["over"]:
                    self._ends[run] = document or error
            except Error as own:
                self._ends[run] = own


_waiters: Dict[Optional[str], Waiter] = {}


def waiter(host: Optional[str]) -> Waiter:
    """The waiter of a host (None: this machine)."""
    return _waiters.setdefault(host, Waiter(host))
