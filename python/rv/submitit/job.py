"""submitit's Job on a run of rv."""
import asyncio
import time
from pathlib import Path
from typing import Any, Awaitable, Dict, Generic, Iterator, List, Optional, Sequence, TypeVar, Union

from ..calls import Outcome
from ..errors import Error
from ..run import Run
from .errors import FailedJobError, UncompletedJobError
from .helpers import DelayedSubmission

R = TypeVar("R")

_STATES = {
    "submitting": "PENDING", "unsubmitted": "PENDING", "queued": "PENDING", "starting": "PENDING", "running": "RUNNING",
    "ending": "COMPLETING", "done": "COMPLETED", "failed": "FAILED", "timeout": "TIMEOUT", "stopped": "CANCELLED",
    "node-failure": "NODE_FAIL", "preempted": "PREEMPTED", "out-of-memory": "OUT_OF_MEMORY", "refused": "FAILED", "lost": "FAILED"}


class _Poll:
    """When to ask rv next whether a run is over: after 1 s, and later every 30 s at most. The jobs of an array share it."""

    def __init__(self) -> None:
        self.next = 0.0
        self.pause = 1.0

    def is_due(self) -> bool:
        now = time.monotonic()
        if now < self.next:
            return False
        self.next, self.pause = now + self.pause, min(30.0, self.pause * 1.5)
        return True


class Job(Generic[R]):
    """A submitted call. `Job(folder, "wvftk6")` and `Job(folder, "wvftk6_3")` attach to a run and to an element of an array."""

    def __init__(self, folder: Union[Path, str], job_id: Optional[str] = None, tasks: Sequence[int] = (0,)) -> None:
        self.folder = Path(folder)
        self._tasks = tuple(tasks)
        self._executor: Any = None  # of a job in a batch that is not submitted yet
        self._cancel_at_deletion = False
        self._poll = _Poll()
        self._is_over = False
        self._run: Optional[Run[R]] = None
        if job_id is not None:
            run_id, _, index = job_id.partition("_")
            self._run = Run(run_id, element=int(index) if index else None)

    @property
    def run(self) -> Run[R]:
        """The run of rv. It is an AttributeError until the batch of the job is submitted."""
        if self._run is None:
            self._executor.submit_for(self)
        assert self._run is not None
        return self._run

    def attach(self, run: Run[R], poll: _Poll) -> None:
        self._run, self._poll, self._executor = run, poll, None

    @property
    def job_id(self) -> str:
        return self.run.id if self.run.element is None else f"{self.run.id}_{self.run.element}"

    @property
    def num_tasks(self) -> int:
        return len(self._tasks)

    @property
    def task_id(self) -> Optional[int]:
        return None if len(self._tasks) > 1 else self._tasks[0]

    def task(self, task_id: int) -> "Job[R]":
        """The job of one process, by its rank."""
        if not 0 <= task_id < self.num_tasks:
            raise ValueError(f"task_id {task_id} must be between 0 and {self.num_tasks - 1}")
        if self.num_tasks == 1:
            return self
        job: Job[R] = Job(self.folder, tasks=(task_id,))
        job.attach(self.run, self._poll)
        return job

    def done(self, force_check: bool = False) -> bool:
        """Whether all results are there, or the run is over; rv is asked every 1 to 30 s, or with `force_check`."""
        if not self._is_over and all(self.run.has_result(rank) for rank in self._tasks):
            self._is_over = True
        if not self._is_over and (force_check or self._poll.is_due()):
            self._is_over = self.state in _OVER
        return self._is_over

    def wait(self) -> None:
        self._outcomes()

    def result(self) -> R:
        """Waits, and returns the result of a job of one process; raises FailedJobError or UncompletedJobError."""
        assert self.num_tasks == 1, "a job of several processes has results()"
        return self.results()[0]

    def results(self) -> List[R]:
        """Waits, and returns the results of all processes, by rank."""
        outcomes = self._outcomes()
        error = self._error(outcomes)
        if error is not None:
            raise error
        return [outcome.value for outcome in outcomes]

    def exception(self) -> Optional[UncompletedJobError]:
        """Waits, and returns the error that results() would raise, or None."""
        return self._error(self._outcomes())

    def submission(self) -> DelayedSubmission:
        """The submitted call, with its `function`, `args` and `kwargs`."""
        folder = self.run.folder
        if folder is None:
            raise UncompletedJobError(f"job {self.job_id} is not a call of a function")
        return DelayedSubmission.of(*folder.call(self.run.element))

    def cancel(self, check: bool = True) -> None:
        try:
            self.run.cancel()
        except Error:
            if check:
                raise

    def cancel_at_deletion(self, value: bool = True) -> "Job[R]":
        self._cancel_at_deletion = value
        return self

    def __del__(self) -> None:
        if getattr(self, "_cancel_at_deletion", False) and self._run is not None and not self._is_over:
            self.cancel(check=False)

    @property
    def state(self) -> str:
        """The state in Slurm's words: PENDING, RUNNING, COMPLETED, …"""
        return _STATES.get(self.run.state, "UNKNOWN")

    def get_info(self, mode: str = "force") -> Dict[str, str]:
        return {"JobID": self.job_id, "State": self.state}

    def stdout(self) -> Optional[str]:
        """The output so far of all processes; None before the start."""
        return self._logs("stdout")

    def stderr(self) -> Optional[str]:
        """None with stderr_to_stdout."""
        return self._logs("stderr")

    def awaitable(self) -> "AsyncJob[R]":
        return AsyncJob(self)

    def __repr__(self) -> str:
        return f"Job<job_id={self.job_id}, task_id={self.task_id}>" if self._run else "Job<not submitted>"

    def _logs(self, stream: str) -> Optional[str]:
        try:
            return self.run.logs(stream) or None
        except Error:
            return None  # it has not started

    def _outcomes(self) -> List[Outcome]:
        outcomes = [self.run.outcome(rank=rank) for rank in self._tasks]
        self._is_over = True
        return outcomes

    def _error(self, outcomes: List[Outcome]) -> Optional[UncompletedJobError]:
        """That of the first process that raised an exception, else of the first one without a result."""
        for rank, outcome in zip(self._tasks, outcomes):
            if outcome.trace:
                return FailedJobError(f"job {self.job_id} (task {rank}) failed:\n{outcome.trace}")
        for rank, outcome in zip(self._tasks, outcomes):
            if outcome.error is not None:
                return UncompletedJobError(f"job {self.job_id} (task {rank}): {outcome.error}")
        return None


_OVER = frozenset(["COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY"])


class AsyncJob(Generic[R]):
    """The methods of a job for asyncio. `poll_interval` has no effect."""

    def __init__(self, job: Job[R]) -> None:
        self.job = job

    async def wait(self, poll_interval: float = 1) -> None:
        await asyncio.gather(*(self.job.run.aoutcome(rank=rank) for rank in self.job._tasks))

    async def result(self, poll_interval: float = 1) -> R:
        await self.wait()
        return self.job.result()

    async def results(self, poll_interval: float = 1) -> List[R]:
        await self.wait()
        return self.job.results()

    def results_as_completed(self, poll_interval: float = 1) -> Iterator[Awaitable[R]]:
        return asyncio.as_completed([self.job.task(task).awaitable().result() for task in range(self.job.num_tasks)])
