"""The errors of rv. Each has a message, an advice and an exit code; docs/exit-codes.md lists the codes."""
from typing import Dict, Type


class Error(Exception):
    """An error of rv: what is wrong (`message`), what to do (`advice`) and rv's exit code."""

    exit_code = 125

    def __init__(self, message: str, advice: str = "", exit_code: int = 0) -> None:
        super().__init__(message, advice, exit_code)
        self.message = message
        self.advice = advice
        self.exit_code = exit_code or type(self).exit_code

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.advice}" if self.advice else self.message


class UsageError(Error):
    """An option or a settings file is wrong; nothing was submitted."""

    exit_code = 2


class PickleError(UsageError):
    """A function, an argument or a result can't be pickled or unpickled."""


class LoginNodeError(Error):
    """The login node can't be reached, or the connection was lost."""

    exit_code = 119


class NoFitError(Error):
    """No partition of the cluster fits the request."""

    exit_code = 120


class SlurmError(Error):
    """Slurm did not answer, or refused every submission."""

    exit_code = 121


class NoSuchRunError(Error):
    """The run does not exist, or the name could mean several runs."""

    exit_code = 122


class RunFailed(Error):
    """A run ended without a result. `exit_code` is the command's own, 123 if it has none."""

    exit_code = 123


class WaitTimeout(Error, TimeoutError):
    """The run was not over in time. It continues."""

    exit_code = 124


_BY_CODE: Dict[int, Type[Error]] = {
    kind.exit_code: kind for kind in (UsageError, LoginNodeError, NoFitError, SlurmError, NoSuchRunError)}


def error_of(message: str, advice: str, exit_code: int) -> Error:
    """Returns the error of the class that belongs to an exit code of rv."""
    return _BY_CODE.get(exit_code, Error)(message, advice, exit_code)
