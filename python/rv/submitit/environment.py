"""Where a function runs, as submitit's JobEnvironment describes it."""
import os
import socket
import subprocess
from typing import List, Optional


def _number(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


class JobEnvironment:
    """The job in which the function runs. Outside a job of rv it is a RuntimeError."""

    cluster = "slurm"

    def __init__(self) -> None:
        if "RV_RUN_ID" not in os.environ:
            raise RuntimeError("JobEnvironment describes a job of rv, and this process is not in one")

    def __repr__(self) -> str:
        return (f"JobEnvironment(job_id={self.job_id}, hostname={self.hostname}, local_rank={self.local_rank}, node={self.node}, "
                f"global_rank={self.global_rank})")

    def activated(self) -> bool:
        return True

    @property
    def job_id(self) -> str:
        index = self.array_task_id
        return self.raw_job_id if index is None else f"{self.raw_job_id}_{index}"

    @property
    def raw_job_id(self) -> str:
        return os.environ["RV_RUN_ID"]

    @property
    def array_job_id(self) -> Optional[str]:
        return None if self.array_task_id is None else self.raw_job_id

    @property
    def array_task_id(self) -> Optional[str]:
        return os.environ.get("RV_ARRAY_INDEX")

    @property
    def hostname(self) -> str:
        return os.environ.get("SLURMD_NODENAME") or socket.gethostname()

    @property
    def hostnames(self) -> List[str]:
        nodes = os.environ.get("SLURM_JOB_NODELIST")
        if not nodes:
            return [self.hostname]
        return subprocess.run(["scontrol", "show", "hostnames", nodes], stdout=subprocess.PIPE, check=True).stdout.decode().split()

    @property
    def num_tasks(self) -> int:
        return _number("WORLD_SIZE", 1)

    @property
    def num_nodes(self) -> int:
        return _number("RV_NNODES", 1)

    @property
    def node(self) -> int:
        return _number("NODE_RANK", 0)

    @property
    def global_rank(self) -> int:
        return _number("RANK", 0)

    @property
    def local_rank(self) -> int:
        return _number("LOCAL_RANK", 0)
