"""submitit's helpers that do not depend on how jobs are submitted."""
import contextlib
import os
import subprocess
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence

from .environment import JobEnvironment

if TYPE_CHECKING:
    from .job import Job


class DelayedSubmission:
    """A call: function(*args, **kwargs)."""

    def __init__(self, function: Any, *args: Any, **kwargs: Any) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self._done = False
        self._result: Any = None

    @staticmethod
    def of(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> "DelayedSubmission":
        return DelayedSubmission(function, *args, **kwargs)

    def done(self) -> bool:
        return self._done

    def result(self) -> Any:
        """Makes the call, once, and returns its result."""
        if not self._done:
            self._result, self._done = self.function(*self.args, **self.kwargs), True
        return self._result


class Checkpointable:
    """A callable with a checkpoint() method, which a run in segments calls before a segment ends (rv_checkpoint=True)."""

    def __new__(cls, *args: Any, **kwargs: Any) -> "Checkpointable":
        instance = super().__new__(cls)
        assert callable(instance), f"{cls.__name__} needs a __call__ method"
        return instance

    def checkpoint(self, *args: Any, **kwargs: Any) -> DelayedSubmission:
        """Returns the call for the next segment: by default the same call of the callable as it is now."""
        return DelayedSubmission(self, *args, **kwargs)


class FunctionSequence(Checkpointable):
    """A callable that makes several calls and returns a list of their results."""

    def __init__(self, verbose: bool = False) -> None:
        self.verbose = verbose
        self.delayed_functions: List[DelayedSubmission] = []

    def add(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        self.delayed_functions.append(DelayedSubmission(func, *args, **kwargs))

    def __len__(self) -> int:
        return len(self.delayed_functions)

    def __iter__(self) -> Iterator[DelayedSubmission]:
        return iter(self.delayed_functions)

    def __call__(self, *args: Any, **kwargs: Any) -> List[Any]:
        if self.verbose:
            print(f"Starting from {sum(call.done() for call in self)}/{len(self)}", flush=True)
        return [call.result() for call in self]


class CommandFunction:
    """A callable that runs a command and returns its stdout; a command that fails is an error with its stderr."""

    def __init__(self, command: Sequence[str], verbose: bool = True, cwd: Optional[str] = None,
                 env: Optional[Mapping[str, str]] = None) -> None:
        self.command = [str(word) for word in command]
        self.verbose, self.cwd, self.env = verbose, cwd, env

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        words = [str(word) for word in args] + [f"--{name}={value}" for name, value in kwargs.items()]
        ended = subprocess.run(self.command + words, cwd=self.cwd, env={**os.environ, **(self.env or {})}, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, check=False, encoding="utf-8")
        if self.verbose:
            print(ended.stdout, flush=True)
        if ended.returncode != 0:
            raise RuntimeError(f"{self.command[0]} ended with exit code {ended.returncode}:\n{ended.stderr}")
        return ended.stdout


class TorchDistributedEnvironment:
    """The variables of torch.distributed. rv sets them in every process, so export() changes little."""

    def __init__(self) -> None:
        environment = JobEnvironment()
        self.master_addr = os.environ["MASTER_ADDR"]
        self.master_port = int(os.environ["MASTER_PORT"])
        self.rank = environment.global_rank
        self.world_size = environment.num_tasks
        self.local_rank = environment.local_rank
        self.local_world_size = environment.num_tasks // environment.num_nodes

    def export(self, set_cuda_visible_devices: bool = True, overwrite: bool = False) -> "TorchDistributedEnvironment":
        values = {"MASTER_ADDR": self.master_addr, "MASTER_PORT": self.master_port, "RANK": self.rank, "WORLD_SIZE": self.world_size,
                  "LOCAL_RANK": self.local_rank, "LOCAL_WORLD_SIZE": self.local_world_size}
        os.environ.update((name, str(value)) for name, value in values.items())
        devices = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
        if set_cuda_visible_devices and len(devices) == self.local_world_size > 1:
            os.environ["CUDA_VISIBLE_DEVICES"] = devices[self.local_rank]
        return self


def as_completed(jobs: "Sequence[Job[Any]]", timeout: Optional[float] = None, poll_frequency: float = 10) -> "Iterator[Job[Any]]":
    """Yields the jobs as they end."""
    began = time.monotonic()
    waiting = list(jobs)
    while True:
        ended = [job for job in waiting if job.done()]
        yield from ended
        waiting = [job for job in waiting if not any(job is other for other in ended)]
        if not waiting:
            return
        if timeout is not None and time.monotonic() - began > timeout:
            raise TimeoutError(f"{len(waiting)} of {len(jobs)} jobs are not over after {timeout}s")
        time.sleep(poll_frequency)


def monitor_jobs(jobs: "Sequence[Job[Any]]", poll_frequency: float = 30, test_mode: bool = False, custom_logging: Any = None) -> None:
    """Prints how many jobs are in which state, until all are over."""
    while True:
        counts: Dict[str, int] = {}
        for job in jobs:
            counts[job.state] = counts.get(job.state, 0) + 1
        print(", ".join(f"{count} {state}" for state, count in sorted(counts.items())), flush=True)
        if all(job.done() for job in jobs):
            return
        time.sleep(poll_frequency)


@contextlib.contextmanager
def clean_env(extra_names: Sequence[str] = ()) -> Iterator[None]:
    """Removes the variables of the surrounding job for a block, so that a job can submit jobs."""
    prefixes = ("SLURM_", "SLURMD_", "SRUN_", "SBATCH_", "SUBMITIT_", "RV_RUN_", "RV_ARRAY_")
    names = ("MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "NODE_RANK", *extra_names)
    removed = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(prefixes) or name in names}
    try:
        yield
    finally:
        os.environ.update(removed)
