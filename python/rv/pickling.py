"""Pickles functions by value: the code, defaults, closure and used globals of lambdas, and of functions and classes of __main__.

Functions of modules that can be imported are pickled by name, as `pickle` does. Code objects are only valid for one minor
version of Python, which the job checks before it unpickles (job.py).
"""
import abc
import dataclasses
import dis
import importlib
import io
import marshal
import pickle
import sys
import types
from typing import Any, Dict, Set, Tuple

from . import job
from .errors import PickleError

_NOT_COPIED = frozenset(["__dict__", "__weakref__", "__module__", "__qualname__", "__slots__", "_abc_impl", "__doc__"])
_DATACLASS_MARKS = tuple(getattr(dataclasses, name) for name in ("_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR"))


def dumps(value: Any) -> bytes:
    """Returns a pickle that job.py can read."""
    out = io.BytesIO()
    _Pickler(out, protocol=4).dump(value)
    return out.getvalue()


def dumps_arguments(function: Any, args: Any) -> bytes:
    """Pickles the arguments of one element of an array."""
    try:
        return dumps(args)
    except Exception as error:  # pylint: disable=broad-except
        raise _not_picklable(function, args, {}, error) from None


def dumps_call(function: Any, args: Any, kwargs: Any) -> bytes:
    """Pickles a call. The error names the variable or argument that can't be pickled."""
    try:
        return dumps((function, args, kwargs))
    except Exception as error:  # pylint: disable=broad-except
        raise _not_picklable(function, args, kwargs, error) from None


def _not_picklable(function: Any, args: Any, kwargs: Any, error: Exception) -> PickleError:
    parts = [(f"argument {number}", value) for number, value in enumerate(args, 1)]
    parts += [(f"argument {name}=", value) for name, value in kwargs.items()]
    if isinstance(function, types.FunctionType):
        parts += [(f"the variable {name}", value) for name, value in _variables(function).items()]
    name = getattr(function, "__qualname__", repr(function))
    for part, value in parts:
        try:
            dumps(value)
        except Exception as cause:  # pylint: disable=broad-except
            return PickleError(f"{part} of {name} can't be pickled: {cause}",
                               "create it inside the function, or pass what it is made from")
    return PickleError(f"{name} can't be pickled: {error}", "move it to a module that the job can import")


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.FunctionType):
            return NotImplemented if _by_name(value) else _reduce_function(value)
        if isinstance(value, type):
            return NotImplemented if _by_name(value) else _reduce_class(value)
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if isinstance(value, types.CellType):
            return job.make_cell, (), _contents(value), None, None, job.fill_cell
        if isinstance(value, (staticmethod, classmethod)):
            return type(value), (value.__func__,)
        if isinstance(value, property):
            return property, (value.fget, value.fset, value.fdel, value.__doc__)
        if isinstance(value, types.MappingProxyType):
            return job.make_proxy, (dict(value),)
        if value is dataclasses.MISSING:
            return "MISSING"
        if any(value is mark for mark in _DATACLASS_MARKS):
            return value.name
        return NotImplemented


def _by_name(value: Any) -> bool:
    """Whether the job can import it: not from __main__, and not a lambda or a function within a function."""
    module = sys.modules.get(value.__module__ or "")
    if module is None or module.__name__ == "__main__":
        # Types such as type(None) are in no module under their names; pickle knows them.
        return isinstance(value, type) and value.__module__ == "builtins"
    found: Any = module
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value or (isinstance(value, type) and value.__module__ == "builtins")


def _contents(cell: types.CellType) -> Tuple[Any, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:  # a cell that is not filled yet
        return ()


def _used_names(code: types.CodeType) -> Set[str]:
    """The globals that a function and the functions within it use."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _used_names(constant)
    return names


def _used_globals(function: types.FunctionType) -> Dict[str, Any]:
    return {name: function.__globals__[name] for name in sorted(_used_names(function.__code__)) if name in function.__globals__}


def _importable(module: str) -> bool:
    return module != "__main__" and module in sys.modules


def _variables(function: types.FunctionType) -> Dict[str, Any]:
    """The variables that travel with a function."""
    if _by_name(function):
        return {}
    variables = {} if _importable(function.__module__) else _used_globals(function)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        variables.update((name, value) for value in _contents(cell))
    return variables


def _reduce_function(function: types.FunctionType) -> Tuple[Any, ...]:
    by_value = not _importable(function.__module__)
    state = {
        "globals": _used_globals(function) if by_value else {}, "__defaults__": function.__defaults__,
        "__kwdefaults__": function.__kwdefaults__, "__qualname__": function.__qualname__, "__doc__": function.__doc__,
        "__dict__": function.__dict__}
    made = (marshal.dumps(function.__code__), function.__module__ or "__main__", by_value, function.__name__, function.__closure__)
    return job.make_function, made, state, None, None, job.fill_function


def _reduce_class(value: type) -> Tuple[Any, ...]:
    if type(value) not in (type, abc.ABCMeta):
        raise TypeError(f"class {value.__qualname__} of {value.__module__} has the metaclass {type(value).__name__}")
    first: Dict[str, Any] = {"__module__": value.__module__, "__qualname__": value.__qualname__, "__doc__": value.__doc__}
    if "__slots__" in value.__dict__:
        first["__slots__"] = value.__dict__["__slots__"]
    members = {name: member for name, member in value.__dict__.items()
               if name not in _NOT_COPIED and not isinstance(member, types.MemberDescriptorType)}
    return job.make_class, (type(value), value.__name__, value.__bases__, first), members, None, None, job.fill_class
