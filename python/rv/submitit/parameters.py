"""submitit's parameters as options of rv."""
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Set, Tuple

SHARED: Dict[str, Tuple[type, ...]] = {
    "name": (str,), "timeout_min": (int, float), "mem_gb": (int, float), "nodes": (int,), "cpus_per_task": (int,), "gpus_per_node": (int,),
    "tasks_per_node": (int,), "stderr_to_stdout": (bool,)}
# Names of submitit's SlurmExecutor that mean the same as a shared parameter.
_SLURM_NAMES = {"job_name": "name", "time": "timeout_min", "ntasks_per_node": "tasks_per_node", "num_gpus": "gpus_per_node"}
# Parameters with the same name and meaning in rv.
_SAME = frozenset(["partition", "account", "qos", "constraint", "exclude", "nodelist", "mem"])
_SBATCH = frozenset(["comment", "mail_type", "mail_user", "exclusive", "reservation"])
# How the package itself works; rv needs none of them.
_WITHOUT_EFFECT = frozenset(["signal_delay_s", "srun_args", "use_srun", "wckey", "max_num_timeout", "python",
                             "max_pickle_size_gb"])
_OWN = frozenset(["setup", "array_parallelism", "gres", "gpus_per_task", "cpus_per_gpu", "additional_parameters"])
SLURM: Set[str] = {*_SLURM_NAMES, *_SAME, *_SBATCH, *_WITHOUT_EFFECT, *_OWN}
_OTHER_EXECUTORS = frozenset(["local", "debug"])


class Request(NamedTuple):
    """What the parameters ask for: options of rv, and what is not an option."""

    options: Dict[str, Any]
    tasks: int
    at_once: int
    setup: List[str]


def check(parameters: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the parameters that count, under one name each. A wrong type is an AssertionError, an unknown name a NameError."""
    given = {name: value for name, value in parameters.items() if value is not None}
    for name, types in SHARED.items():
        if name in given:
            assert isinstance(given[name], types), f'parameter "{name}": expected {types[0].__name__}, got {given[name]!r}'
    shared = {name: value for name, value in given.items() if name in SHARED}
    own: Dict[str, Any] = {}
    unknown: List[str] = []
    for name, value in given.items():
        if name not in SHARED:
            _sort(name, value, own, unknown)
    if unknown:
        raise NameError("\n".join(unknown) + f"\nshared parameters: {', '.join(SHARED)}\nwith the prefix slurm_: "
                        f"{', '.join(sorted(SLURM))}\nwith the prefix rv_: the options of rv run")
    return {**shared, **own}


def _sort(name: str, value: Any, own: Dict[str, Any], unknown: List[str]) -> None:
    prefix, _, rest = name.partition("_")
    if prefix == "rv":
        own[name] = value
    elif prefix == "slurm" and (rest in SHARED or rest in _SLURM_NAMES):
        own[_SLURM_NAMES.get(rest, rest)] = value
    elif prefix == "slurm" and rest in SLURM:
        own[rest] = value
    elif name in SLURM:
        warnings.warn(f"parameter '{name}' is now called 'slurm_{name}'")
        own[_SLURM_NAMES.get(name, name)] = value
    elif prefix not in _OTHER_EXECUTORS:
        unknown.append(f"unknown parameter '{name}'")


def request(parameters: Dict[str, Any]) -> Request:
    """Turns checked parameters into a request."""
    nodes, per_node = parameters.get("nodes", 1), parameters.get("tasks_per_node", 1) or 1
    options: Dict[str, Any] = {
        "gpu": 0, "time": _minutes(parameters.get("timeout_min", 5)), "nodes": nodes, "name": parameters.get("name", "submitit"),
        "separate_stderr": not parameters.get("stderr_to_stdout", False)}
    if per_node > 1:
        options["procs_per_node"] = per_node
    for name, set_options in _SETTERS.items():
        if name in parameters:
            set_options(options, parameters[name], nodes, per_node)
    options.update((name, parameters[name]) for name in sorted(_SAME) if name in parameters)
    sbatch = {name.replace("_", "-"): parameters[name] for name in sorted(_SBATCH) if parameters.get(name)}
    sbatch.update((name.replace("_", "-"), value) for name, value in parameters.get("additional_parameters", {}).items())
    if sbatch:
        options["sbatch"] = sbatch
    options.update((name[len("rv_"):], value) for name, value in parameters.items() if name.startswith("rv_"))
    return Request(options, nodes * per_node, parameters.get("array_parallelism", 256), list(parameters.get("setup", [])))


def _minutes(time: Any) -> str:
    return f"{max(1, round(time * 60))}s" if isinstance(time, (int, float)) else str(time)


def _set_gpus(options: Dict[str, Any], value: Any, nodes: int, _: int) -> None:
    """gpus_per_node=4 or "a100:4"; gres="gpu:a100:4"."""
    *words, count = str(value).split(":")
    types = [word for word in words if word != "gpu"]
    options["gpu"] = nodes * int(count)
    if types:
        options["type"] = types[0]


def _set_memory(options: Dict[str, Any], value: float, _nodes: int, _per_node: int) -> None:
    options["mem"] = f"{round(value * 1024)}M"


def _set_cpus(options: Dict[str, Any], value: int, _: int, per_node: int) -> None:
    options["cpus"] = value * per_node


def _set_cpus_per_gpu(options: Dict[str, Any], value: int, nodes: int, _: int) -> None:
    options["cpus"] = value * options["gpu"] // nodes


def _set_gpus_per_task(options: Dict[str, Any], value: int, nodes: int, per_node: int) -> None:
    options["gpu"] = value * nodes * per_node


_SETTERS: Dict[str, Callable[[Dict[str, Any], Any, int, int], None]] = {
    "gpus_per_node": _set_gpus, "gres": _set_gpus, "gpus_per_task": _set_gpus_per_task, "mem_gb": _set_memory, "cpus_per_task": _set_cpus,
    "cpus_per_gpu": _set_cpus_per_gpu}
