"""What type checkers know about results. mypy reads this file (python.types); it is not executed."""
import asyncio
from typing import List, Optional

import rv
import rv.submitit as submitit


def half(number: int) -> float:
    return number / 2


async def together(first: "rv.Run[float]", second: "rv.Run[str]") -> None:
    number: float
    text: str
    number, text = await asyncio.gather(first.aresult(), second.aresult())
    number = await first
    print(number, text)


run = rv.submit(half, 3, gpu=1)
value: float = run.result()
values: List[float] = rv.map(half, [1, 2], gpu=1).result(timeout=60)
text: str = rv.submit("hostname").result()
wait_s: Optional[float] = rv.plan(gpu=4).best.wait.p50_s
job: "submitit.Job[float]" = submitit.AutoExecutor("log").submit(half, 3)
wrong: str = run.result()  # type: ignore[assignment]
