"""Plans: which strategies would get the GPUs, when, and for how much."""
from dataclasses import dataclass, field
from typing import Any, List, Optional, Tuple

from .options import arguments
from .program import Document, call


@dataclass(frozen=True)
class Wait:
    """A predicted wait in seconds; None is unknown. `basis` says where it comes from."""

    p10_s: Optional[float]
    p50_s: Optional[float]
    p90_s: Optional[float]
    basis: str


@dataclass(frozen=True)
class Strategy:
    """One way to get the GPUs. `json` has all keys (docs/json.md)."""

    rank: int
    gpu_type: str
    gpus: int
    nodes: int
    gpus_per_node: int
    partition: str
    kind: str
    time_limit_s: int
    segments: int
    wait: Wait
    cost_su: Optional[float]
    json: Document = field(repr=False, compare=False)


@dataclass(frozen=True)
class Plan:
    """Strategies, best first. `rejected` has a GPU type and a reason for each strategy that does not fit."""

    strategies: List[Strategy]
    rejected: List[Tuple[str, str]]
    json: Document = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        return bool(self.strategies)

    @property
    def best(self) -> Strategy:
        """The first strategy; an IndexError if nothing fits."""
        return self.strategies[0]


def plan(host: Optional[str] = None, **options: Any) -> Plan:
    """Plans a request without submitting it. The options are those of `rv plan`: plan(gpu=4, time="30m")."""
    document = call(["plan", *arguments(options)], host)
    return Plan([_strategy(entry) for entry in document["strategies"]],
                [(entry["gpu_type"], entry["reason"]) for entry in document["rejected"]], document)


def _strategy(entry: Document) -> Strategy:
    wait = entry["wait"]
    return Strategy(
        entry["rank"], entry["gpu_type"], entry["gpus"], entry["nodes"], entry["gpus_per_node"], entry["partition"], entry["kind"],
        entry["time_limit_s"], entry["segments"], Wait(wait["p10_s"], wait["p50_s"], wait["p90_s"], wait["basis"]),
        entry["cost_su"], entry)
