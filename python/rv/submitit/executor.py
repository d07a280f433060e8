"""submitit's AutoExecutor on rv."""
import contextlib
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from ..errors import Error
from ..job import apply
from ..submit import Place, submit_call, submit_calls
from . import parameters
from .errors import FailedSubmissionError
from .helpers import DelayedSubmission
from .job import Job, R, _Poll


class AutoExecutor:
    """Submits functions with rv. `folder` gets the pickled calls and their results."""

    cluster = "slurm"

    def __init__(self, folder: Union[Path, str], cluster: Optional[str] = None, **options: Any) -> None:
        if cluster not in (None, "slurm", "rv"):
            raise ValueError(f"cluster={cluster!r}: rv submits to Slurm; use submitit itself to run functions on this machine")
        text = str(folder)
        for tag in ("%j", "%t", "%A", "%a"):
            text = text.split(tag)[0]  # rv makes a folder of its own for each call
        self.folder = Path(text).expanduser().absolute()
        self.parameters: Dict[str, Any] = {}
        self._batch: Optional[List[Tuple[Job[Any], DelayedSubmission]]] = None
        self._implicit = False
        try:
            self.update_parameters(**options)
        except NameError as error:
            raise TypeError(str(error)) from None

    @staticmethod
    def which() -> str:
        return AutoExecutor.cluster

    def update_parameters(self, **options: Any) -> None:
        """Sets parameters: the shared ones of submitit, slurm_… ones, and options of rv with the prefix rv_."""
        if self._batch is not None:
            raise RuntimeError('parameters can\'t be changed inside "with executor.batch()"')
        self.parameters.update(parameters.check(options))

    def submit(self, fn: Callable[..., R], *args: Any, **kwargs: Any) -> Job[R]:
        """Submits fn(*args, **kwargs); inside batch(), at the end of it."""
        delayed = DelayedSubmission(fn, *args, **kwargs)
        if self._batch is None:
            return self._submit([delayed])[0]
        job: Job[R] = Job(self.folder)
        job._executor = self
        self._batch.append((job, delayed))
        return job

    def map_array(self, fn: Callable[..., R], *iterables: Iterable[Any]) -> List[Job[R]]:
        """Submits an array that calls fn with each item."""
        return self._submit([DelayedSubmission(fn, *items) for items in zip(*iterables)])

    def submit_array(self, fns: Sequence[Callable[[], R]]) -> List[Job[R]]:
        """Submits an array of functions without arguments."""
        return self._submit([DelayedSubmission(fn) for fn in fns])

    @contextlib.contextmanager
    def batch(self, allow_implicit_submissions: bool = False) -> Iterator[None]:
        """Collects the submissions of a block in one array."""
        if self._batch is not None:
            raise RuntimeError('"with executor.batch()" can\'t be nested')
        self._batch, self._implicit = [], allow_implicit_submissions
        try:
            yield
            if not self._batch and not self._implicit:
                warnings.warn('nothing was submitted inside "with executor.batch()"', category=RuntimeWarning)
            self._submit_batch()
        finally:
            self._batch = None

    def submit_for(self, job: Job[Any]) -> None:
        """A job of the batch is used: submits the batch, if that is allowed."""
        if not self._implicit:
            raise AttributeError('a job can\'t be used inside "with executor.batch()"')
        self._submit_batch()

    def _submit_batch(self) -> None:
        batch, self._batch = self._batch or [], []
        for (job, _), submitted in zip(batch, self._submit([delayed for _, delayed in batch], batch=True)):
            job.attach(submitted.run, submitted._poll)
            job._tasks = submitted._tasks

    def _submit(self, delayed: List[DelayedSubmission], batch: bool = False) -> List[Job[Any]]:
        if not delayed:
            if not batch:
                warnings.warn("the job array is empty")
            return []
        request = parameters.request(self.parameters)
        place = Place(parent=str(self.folder), setup=request.setup)
        try:
            if len(delayed) == 1:
                call = delayed[0]
                runs = [submit_call(call.function, call.args, call.kwargs, request.options, place)]
            else:
                runs = submit_calls(apply, [(call.function, call.args, call.kwargs) for call in delayed], request.at_once,
                                    request.options, place).runs
        except Error as error:
            raise FailedSubmissionError(str(error)) from error
        poll = _Poll()
        jobs: List[Job[Any]] = []
        for run in runs:
            job: Job[Any] = Job(self.folder, tasks=range(request.tasks))
            job.attach(run, poll)
            jobs.append(job)
        return jobs
