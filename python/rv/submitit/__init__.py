"""submitit's interface on rv: `import rv.submitit as submitit`. docs/python.md lists what differs."""
from . import helpers
from .environment import JobEnvironment
from .errors import FailedJobError, FailedSubmissionError, UncompletedJobError
from .executor import AutoExecutor
from .job import Job

SlurmExecutor = AutoExecutor
SlurmJob = Job
__all__ = ["AutoExecutor", "FailedJobError", "FailedSubmissionError", "Job", "JobEnvironment", "SlurmExecutor", "SlurmJob",
           "UncompletedJobError", "helpers"]
