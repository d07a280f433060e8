"""Draws one random run from a seed: its kind, its command and the faults that happen to it."""
import dataclasses
import random

KINDS = ["plain", "race", "requeue", "retry", "array", "array_retry", "chain", "after", "stop"]

# fault: whether it needs a duration, in seconds
FAULTS = {
    "kill_client": False, "kill_rv": False, "kill_command": False, "kill_script": False,
    "freeze_client": True, "freeze_rv": True, "freeze_script": True, "freeze_command": True,
    "full_disk": True, "folder_away": True,
    "sbatch_fails": True, "sbatch_lost": True, "sbatch_late": True, "scancel_fails": True, "scancel_late": True,
    "controller_away": True, "user_scancel": False, "requeue_job": False, "suspend_job": True, "rv_stop": False, "preempt": True,
    "stale_client": True, "stale_rv": True, "stale_script": True,
}


@dataclasses.dataclass
class Fault:
    moment: float  # seconds after the submission began
    name: str
    seconds: float = 0.0


@dataclasses.dataclass
class Draw:
    number: int
    kind: str
    steps: int
    code: int
    xid_starts: int
    follow: bool
    faults: list

    def options(self):
        options = {"race": ["-t", "a40,v100"], "requeue": ["--requeue"], "retry": ["--requeue"],
                   "array": ["--array", "0-3%2"], "array_retry": ["--array", "0-2", "--requeue"],
                   "chain": ["--checkpoint", "--segment-time", "4m", "--warn", "60s"]}.get(self.kind, [])
        if "-t" not in options:
            options = ["-t", "a40", *options]
        return ["-g", "1", "--single-node", "--partition", "gpu-a40,gpu-v100", "--time", "12m" if self.kind == "chain" else "5m", *options]

    def has(self, *names):
        return any(fault.name in names for fault in self.faults)

    def may_lose_end(self):
        """Whether the batch script may be killed before it has recorded the command's end."""
        return self.has("kill_script") or (self.has("stale_script") and self.has("rv_stop", "user_scancel"))

    def __str__(self):
        faults = ", ".join(f"{f.name} at {f.moment:.1f} s" + (f" for {f.seconds:.0f} s" if f.seconds else "")
                           for f in self.faults)
        return f"{self.number} {self.kind} ({faults or 'no fault'})"


def draw(seed, number, longest_fault, kinds=None, faults=None):
    """Returns run `number` of `seed`. No fault lasts longer than `longest_fault` seconds; `faults`: only these."""
    dice = random.Random(f"{seed}.{number}")
    kind = (kinds or KINDS)[number % len(kinds or KINDS)]
    steps = dice.randint(130, 150) if kind == "chain" else dice.choice([0, 1, 3, 8, 15])
    code = dice.choice([0, 0, 0, 7])
    xid_starts = dice.choice([1, 1, 9]) if kind in ("retry", "array_retry") else 0
    drawn = []
    for _ in range(dice.choice([0, 1, 1, 1, 2, 2])):
        name = dice.choice(faults or list(FAULTS))
        moment = dice.uniform(0, steps + 6)
        seconds = min(longest_fault, 300 ** dice.random()) if FAULTS[name] else 0.0
        drawn.append(Fault(moment, name, seconds))
    if kind == "stop":
        drawn.append(Fault(dice.uniform(0, steps + 3), "rv_stop"))
    drawn.sort(key=lambda fault: fault.moment)
    return Draw(number, kind, steps, code, xid_starts, dice.random() < 0.7, drawn)
