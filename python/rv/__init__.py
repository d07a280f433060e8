"""rv for Python: plan, submit and follow runs on the GPUs of a Slurm cluster. See docs/python.md."""
from .errors import (Error, LoginNodeError, NoFitError, NoSuchRunError, PickleError, RunFailed, SlurmError, UsageError, WaitTimeout)
from .plan import Plan, Strategy, Wait, plan
from .run import Run, Status
from .submit import Array, map, submit

__version__ = "0.2.0"
__all__ = ["Array", "Error", "LoginNodeError", "NoFitError", "NoSuchRunError", "PickleError", "Plan", "Run", "RunFailed", "SlurmError",
           "Status", "Strategy", "UsageError", "Wait", "WaitTimeout", "map", "plan", "submit"]
