"""Calls the program rv and reads the JSON documents that it prints (docs/json.md)."""
import json
import logging
import os
import shutil
import subprocess
from typing import Any, Dict, List, Optional, Sequence

from .errors import Error, error_of

Document = Dict[str, Any]
_log = logging.getLogger("rv")


def argv(arguments: Sequence[str], host: Optional[str] = None) -> List[str]:
    """Returns the command line of rv: the program is $RV, else the first rv on PATH."""
    program = os.environ.get("RV") or shutil.which("rv")
    if not program:
        raise Error("rv is not installed: it is not on PATH", "install rv, or set RV to the path of the program")
    return [program, *(["-H", host] if host else []), *arguments]


def call(arguments: Sequence[str], host: Optional[str] = None, cwd: Optional[str] = None) -> Document:
    """Runs a command of rv with --json and returns its document."""
    command, *rest = arguments
    try:
        ended = subprocess.run(argv([command, "--json", *rest], host), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=cwd)
    except OSError as error:
        raise Error(f"can't start rv: {error}", "install rv, or set RV to the path of the program") from None
    return read(ended.returncode, ended.stdout, ended.stderr)


def read(exit_code: int, out: bytes, err: bytes) -> Document:
    """Returns the document on stdout. Without one, the error on stderr is raised; notes on stderr are logged."""
    lines = err.decode(errors="replace").splitlines()
    try:
        document = json.loads(out)
    except ValueError:
        raise _error_in(lines, exit_code) from None
    for line in lines:
        _log.info("%s", line)
    if not isinstance(document, dict):
        raise Error("rv printed JSON that is not an object", "use the rv that belongs to this package")
    return document


def _error_in(lines: List[str], exit_code: int) -> Error:
    for line in reversed(lines):
        try:
            error = json.loads(line)["error"]
            return error_of(error["message"], error["advice"], error["exit_code"])
        except (ValueError, KeyError, TypeError):
            continue
    return error_of("\n".join(lines) or f"rv ended with exit code {exit_code} and printed nothing", "", exit_code)
