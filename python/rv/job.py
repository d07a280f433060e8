"""Runs one pickled call in a job, and holds the functions that its pickles call.

A copy of this file stands beside each call, so that a later version of the package does not change a waiting call. It therefore
uses only the standard library.
"""
import builtins
import functools
import importlib
import json
import marshal
import os
import pickle
import signal
import sys
import traceback
import types
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Tuple

CALL = "call"  # without an ending: projects often ignore *.pickle
RESULT = "result."
REPEATS = "repeats"  # this file exists if rv may start the call again after a failure
RAISED = 1  # exit code after an exception of the function
_main = types.ModuleType("__main__")
_main.__dict__["__builtins__"] = builtins  # until Python 3.10, a function takes them from its globals


def namespace_of(module: str, by_value: bool) -> Dict[str, Any]:
    """The globals of a function: those of its module, or of the job's own __main__ if they travel with it."""
    return _main.__dict__ if by_value else importlib.import_module(module).__dict__


def make_function(code: bytes, module: str, by_value: bool, name: str,
                  cells: Optional[Tuple[types.CellType, ...]]) -> types.FunctionType:
    function = types.FunctionType(marshal.loads(code), namespace_of(module, by_value), name, None, cells)
    function.__module__ = module
    return function


def fill_function(function: types.FunctionType, state: Dict[str, Any]) -> None:
    function.__globals__.update(state.pop("globals"))
    for name, value in state.items():
        setattr(function, name, value)
    _publish(function)


def make_cell() -> types.CellType:
    return types.CellType()


def fill_cell(cell: types.CellType, contents: Tuple[Any, ...]) -> None:
    if contents:
        cell.cell_contents = contents[0]


def make_class(metaclass: type, name: str, bases: Tuple[type, ...], first: Dict[str, Any]) -> type:
    return types.new_class(name, bases, {"metaclass": metaclass}, lambda members: members.update(first))


def fill_class(made: type, members: Dict[str, Any]) -> None:
    for name, value in members.items():
        setattr(made, name, value)
    _publish(made)


def make_proxy(mapping: Dict[Any, Any]) -> Any:
    return types.MappingProxyType(mapping)


def _publish(value: Any) -> None:
    # A result is pickled by name: __main__.Config must be found in the job's __main__, as it is in the user's script.
    if value.__module__ == "__main__" and "." not in value.__qualname__:
        setattr(_main, value.__qualname__, value)


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        return globals()[name] if module == "rv.job" else super().find_class(module, name)


def version() -> str:
    return "{}.{}".format(*sys.version_info)


def result_name(index: Optional[str], rank: int) -> str:
    return "{}{}{}".format(RESULT, "" if index is None else index + ".", rank)


def read_header(file: BinaryIO) -> Dict[str, Any]:
    header: Dict[str, Any] = json.loads(file.readline())
    header["length"] = file.tell()
    return header


def element_of(header: Dict[str, Any]) -> Optional[str]:
    """The index of this element; None outside an array, even if the job was submitted from one."""
    return os.environ.get("RV_ARRAY_INDEX") if header["offsets"] else None


def read_call(file: BinaryIO, header: Dict[str, Any], index: Optional[str]) -> Tuple[Any, Any, Any]:
    """Returns function, args and kwargs. In an array, the element's arguments are a pickle of their own."""
    function, args, kwargs = _Reader(file).load()
    if index is not None:
        file.seek(header["offsets"][int(index)] + header["length"])
        args = _Reader(file).load()
    return function, args, kwargs


def apply(function: Any, args: Any, kwargs: Any) -> Any:
    """The function of an array whose elements call different functions."""
    return function(*args, **kwargs)


def checkpoint_path() -> Optional[str]:
    """Where a segment leaves the call for the next one; None outside a run in segments, even if it was submitted from one."""
    done = os.environ.get("RV_DONE_FILE", "")
    if os.path.dirname(done) != os.environ.get("RV_RUN_DIR"):
        return None
    return os.path.join(os.environ["RV_CHECKPOINT_DIR"], "call.{}.pickle".format(os.environ.get("RANK", "0")))


def from_checkpoint() -> Optional[Tuple[Any, Any, Any]]:
    """The call that the segment before has left: its classes are those of the call that was read first."""
    path = checkpoint_path()
    if path is None or not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        call: Tuple[Any, Any, Any] = pickle.load(file)
        return call


def save_and_exit(path: str, make_call: Callable[[], Any], _signal: int, _frame: Any) -> None:
    try:
        call = make_call()
        write(path, [pickle.dumps((call.function, call.args, call.kwargs), protocol=4)])
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()  # the next segment begins where this one did
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(RAISED)  # an exception could be caught by the function


def warn_with_checkpoint(function: Any, args: Any, kwargs: Any) -> None:
    """When rv warns that the segment ends, the function's method checkpoint() returns the call for the next segment."""
    checkpoint = getattr(function, "checkpoint", None) or getattr(function, "__submitit_checkpoint__", None)
    path = checkpoint_path()
    if path is not None and callable(checkpoint):
        make_call = functools.partial(checkpoint, *args, **kwargs)
        signal.signal(signal.SIGUSR1, functools.partial(save_and_exit, path, make_call))


def run_call(file: BinaryIO, header: Dict[str, Any]) -> Tuple[Dict[str, Any], bytes]:
    """Calls the function. Returns the header of its result, and the pickle of the value or the exception."""
    with file:
        if header["python"] != version():
            return {"ok": False, "kind": "version", "message": "Python {} pickled the function, and the job runs Python {} ({})".format(
                header["python"], version(), sys.executable)}, b""
        # Relative entries travel with the project of a run over ssh.
        header["path"] = [os.path.abspath(entry) for entry in header["path"]]
        sys.path[:] = header["path"] + [entry for entry in sys.path[1:] if entry not in header["path"]]
        sys.modules["__main__"] = _main
        try:
            function, args, kwargs = read_call(file, header, element_of(header))
            function, args, kwargs = from_checkpoint() or (function, args, kwargs)
        except BaseException as error:  # pylint: disable=broad-except
            return _failure("unpickle", error, 0), b""
    warn_with_checkpoint(function, args, kwargs)
    try:
        value = function(*args, **kwargs)
    except BaseException as error:  # pylint: disable=broad-except
        return _raised(error)
    try:
        return {"ok": True}, pickle.dumps(value, protocol=4)
    except Exception as error:  # pylint: disable=broad-except
        return _failure("result", error, 0), b""


def _raised(error: BaseException) -> Tuple[Dict[str, Any], bytes]:
    header = _failure("raised", error, 1)
    try:
        return header, pickle.dumps(error, protocol=4)
    except Exception:  # pylint: disable=broad-except
        return header, b""


def _failure(kind: str, error: BaseException, skip: int) -> Dict[str, Any]:
    """`skip` frames of this file are left out of the traceback."""
    trace = error.__traceback__
    for _ in range(skip):
        trace = trace.tb_next if trace else None
    return {"ok": False, "kind": kind, "message": "{}: {}".format(type(error).__name__, error),
            "traceback": "".join(traceback.format_exception(type(error), error, trace))}


def write(path: str, parts: List[bytes]) -> None:
    """Writes a file under a temporary name and renames it, so that a reader never sees half of it."""
    temporary = "{}.{}.part".format(path, os.getpid())
    with open(temporary, "wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def main() -> int:
    folder = os.path.dirname(os.path.abspath(__file__))
    file = open(os.path.join(folder, CALL), "rb")
    call = read_header(file)
    header, body = run_call(file, call)
    header["python"] = version()
    header["final"] = header["ok"] or not os.path.exists(os.path.join(folder, REPEATS))
    header["processes"] = int(os.environ.get("WORLD_SIZE", "1"))
    name = result_name(element_of(call), int(os.environ.get("RANK", "0")))
    sys.stdout.flush()
    if not header["ok"]:
        print(header.get("traceback") or header["message"], file=sys.stderr, flush=True)
    os.makedirs(os.path.join(folder, "results"), exist_ok=True)
    write(os.path.join(folder, "results", name), [json.dumps(header).encode(), b"\n", body])
    if header["ok"] and checkpoint_path():
        open(os.environ["RV_DONE_FILE"], "w").close()  # a warned segment that returned is the last one
    return 0 if header["ok"] else RAISED


if __name__ == "__main__":
    sys.exit(main())
