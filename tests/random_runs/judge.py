"""Compares what a command recorded about itself with what rv reports about the run."""
import dataclasses


@dataclasses.dataclass
class Start:
    moment: float
    me: str  # job.restart.pid
    signals: list = dataclasses.field(default_factory=list)
    code: int = None  # of its own end, None where it recorded none

    @property
    def killed(self):
        return self.code is None


def starts_of(lines):
    """Reads a command's log and returns its starts in order, and whether two ran at the same time."""
    starts, by_name, overlap = [], {}, False
    for line in lines:
        moment, what, me, more = line.split()
        if what == "overlap":
            overlap = True
        elif what == "start":
            by_name[me] = Start(float(moment), me)
            starts.append(by_name[me])
        elif what == "end":
            by_name[me].code = int(more)
        elif me in by_name:
            by_name[me].signals.append(what)
    return starts, overlap


def wrong_outcome(starts, state, code, may_restart=False, chain=False, script_killed=False):
    """Returns what is untrue about the outcome of one command, or an empty string.

    chain: a start that ends with 75 is followed by another segment. script_killed: the batch script may have been killed before
    the command's end, which nobody could record then.
    """
    last = starts[-1] if starts else None
    if len(starts) > 1 and not may_restart:
        return f"started {len(starts)} times"
    if last is None and code in (137, 143):
        return ""  # a fault's KILL or TERM came before the command's first line
    if last is None:
        return f"{state}, and it never started" if state in ("done", "failed") else ""
    if state == "done" and last.code != 0:
        return f"done, and its last start ended with {last.code}"
    if chain and last.code == 75:
        return ""  # a segment's end, what follows is rv's decision
    if state == "failed":
        if last.killed:
            return "" if code and code > 128 else f"failed with {code}, and it recorded no end"
        return "" if code == last.code else f"failed with {code}, and it ended with {last.code}"
    if state == "refused":
        return f"refused, and it started {len(starts)} times"
    if script_killed:
        return ""
    if not last.killed and "term" not in last.signals and state != "done":
        return f"{state}, and it ended with {last.code}"
    return ""


def wrong_array(codes, elements, state, script_killed=False):
    """Returns what is untrue about an array whose elements' last starts ended with `codes`, or an empty string. A batch script
    that was killed records no end of its command: then the array is lost, whatever the command did."""
    if state == "done" and (len(codes) < elements or any(codes)):
        return f"done, and its elements ended with {codes}"
    if state == "refused" and codes:
        return f"refused, and elements ended with {codes}"
    if state == "lost" and script_killed:
        return ""
    if state != "done" and len(codes) == elements and not any(code != 0 for code in codes):
        return f"{state}, and all elements ended with 0"
    return ""


def missing_bytes(written, shown):
    """Returns how many bytes of `written` (lines) `shown` (lines) lacks."""
    known = set(shown)
    lost = [line for line in written if line not in known]
    # A full disk cuts a line short, which then does not count as written. The next one stands behind it on the same line.
    return sum(len(line) + 1 for line in lost if not any(other.endswith(line) for other in shown))
