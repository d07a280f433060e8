"""The errors of submitit's interface."""


class UncompletedJobError(RuntimeError):
    """The job ended without a result."""


class FailedJobError(UncompletedJobError):
    """The function raised an exception; the message has the traceback."""


class FailedSubmissionError(RuntimeError):
    """The job could not be submitted."""
