"""Runs one pickled call in a job, and holds the functions that its pickles call.

A copy of this file stands beside each call, so that a later version of the package does not change a waiting call. It therefore
uses only the standard library.
"""
import builtins
import importlib
import json
import marshal
import os
import pickle
import sys
import traceback
import types
from typing import Any, BinaryIO, Dict, List, Optional, Tuple

CALL = "call.pickle"
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
    return "result.{}{}".format("" if index is None else index + ".", rank)


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


def run_call(folder: str, index: Optional[str]) -> Tuple[Dict[str, Any], bytes]:
    """Calls the function. Returns the header of its result, and the pickle of the value or the exception."""
    with open(os.path.join(folder, CALL), "rb") as file:
        header = json.loads(file.readline())
        header["length"] = file.tell()
        if header["python"] != version():
            return {"ok": False, "kind": "version", "message": "Python {} pickled the function, and the job runs Python {} ({})".format(
                header["python"], version(), sys.executable)}, b""
        sys.path[:] = header["path"] + [entry for entry in sys.path[1:] if entry not in header["path"]]
        sys.modules["__main__"] = _main
        try:
            function, args, kwargs = read_call(file, header, index)
        except BaseException as error:  # pylint: disable=broad-except
            return _failure("unpickle", error, 0), b""
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
        body = pickle.dumps(error, protocol=4)
        pickle.loads(body)
    except Exception:  # pylint: disable=broad-except
        body = b""
    return header, body


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
    index = os.environ.get("RV_ARRAY_INDEX")
    header, body = run_call(folder, index)
    header["python"] = version()
    header["final"] = header["ok"] or not os.path.exists(os.path.join(folder, REPEATS))
    header["processes"] = int(os.environ.get("WORLD_SIZE", "1"))
    name = result_name(index, int(os.environ.get("RANK", "0")))
    sys.stdout.flush()
    if not header["ok"]:
        print(header.get("traceback") or header["message"], file=sys.stderr, flush=True)
    write(os.path.join(folder, "results", name), [json.dumps(header).encode(), b"\n", body])
    return 0 if header["ok"] else RAISED


if __name__ == "__main__":
    sys.exit(main())
