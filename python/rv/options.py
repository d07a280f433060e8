"""Turns keyword arguments into options of `rv run` and `rv plan`. rv itself checks their names and values."""
from datetime import timedelta
from typing import Any, List, Mapping

from .errors import UsageError

# These options may be repeated; other options take a list with commas.
_REPEATED = frozenset(["env", "sbatch", "output", "window", "container_mount"])
# These options change what rv prints, or belong to functions of this package.
_REFUSED = {
    "follow": "use .result(), or .wait()", "dry_run": "use rv.plan()", "save": "use the command rv run --save",
    "json": "leave it out: rv is always called with --json", "help": "see rv run --help", "H": "use host=",
}


def arguments(options: Mapping[str, Any]) -> List[str]:
    """Returns gpu=4, type=["a100", "h100"], requeue=True as --gpu=4 --type=a100,h100 --requeue."""
    result: List[str] = []
    for name, value in options.items():
        if name in _REFUSED:
            raise UsageError(f"{name}= can't be used from Python", _REFUSED[name])
        option = "--" + name.replace("_", "-")
        if value is True:
            result.append(option)
        elif value is not None and value is not False:
            result += [f"{option}={text}" for text in _texts(name, value)]
    return result


def _texts(name: str, value: Any) -> List[str]:
    if isinstance(value, Mapping):
        return [key if item is True else f"{key}={_text(item)}" for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        texts = [_text(item) for item in value]
        return texts if name in _REPEATED else [",".join(texts)]
    return [_text(value)]


def _text(value: Any) -> str:
    if isinstance(value, timedelta):
        return f"{max(1, round(value.total_seconds()))}s"
    return str(getattr(value, "id", value))  # after= may be a Run
