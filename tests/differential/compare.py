"""Compares a plan with what Slurm does."""
import re

from cluster import header_of

PROPERTIES = {
    "P1": "'free now' starts within seconds",
    "P2": "a rejected request is refused, or is held for that reason",
    "P3": "a request that has to wait does not start at once, and is not refused or held",
    "P4": "a start lies in the predicted range, where jobs end at their limits",
}

# Words of rv's rejections and Slurm's words for the same thing, both as regular expressions.
REASONS = [
    (r"GPU.*(QOS|account|association|user)|(QOS|account|association|user).*GPU", r"QOS|Assoc|limit|GRES|TRES"),
    (r"billing unit", r"Billing"),
    (r"MaxWall|MaxTime|allows \d+(m|h|d)|minutes", r"time limit|TimeLimit|Wall|Mins|Minutes|limit"),
    (r"MaxNodes|MinNodes|nodes?\b.*(most|least)", r"[Nn]ode"),
    (r"MaxCPUsPerNode|CPU", r"[Cc][Pp][Uu]|[Nn]ode configuration|Resources|TRES"),
    (r"memory|mem", r"[Mm]em|[Nn]ode configuration|TRES"),
    (r"(is|are) (DOWN|DRAIN|INACTIVE|down|not up)|rejects jobs|State=", r"[Pp]artition|down|Down|inactive|Inactive"),
    (r"out of service", r"DRAIN|DOWN|[Nn]odes? (required|not)|ReqNodeNotAvail|UnavailableNodes|not available|Resources"),
    (r"account", r"[Aa]ccount"),
    (r"QOS", r"[Qq][Oo][Ss]"),
    (r"group", r"[Gg]roup|not permitted|access"),
    (r"root", r"root|access"),
    (r"feature|constraint", r"[Ff]eature|[Nn]ode configuration|BadConstraints"),
    (r"under one switch|connected to a switch", r"[Nn]ode configuration|[Tt]opology"),
    (r"licen[cs]e", r"[Ll]icense"),
    (r"reserv", r"[Rr]eserv"),
    (r"not in .*\(it is in|at most", r"[Nn]ode configuration|[Nn]ode count"),
    (r"of --nodelist is not a node of", r"[Nn]ode configuration|not available"),
    (r"no node|nodes? of .* (have|that can provide)|can provide", r"[Nn]ode configuration|[Nn]ode count|BadConstraints|Resources|not available"),
]


# What ends by itself when other jobs do. A job that is held for anything else stays held.
SHARED = r"Grp|MaxJobs|PerUser|PerAccount|PU$|MaxCpuPerUser|MaxGRESPerUser|MaxNodePerUser|MaxMemoryPerUser|MaxMemPerUser|JobArrayTaskLimit|Licenses"


def same_reason(reason, slurm):
    return any(re.search(ours, reason) and re.search(theirs, slurm) for ours, theirs in REASONS)


def reserves_cores(draw):
    """Whether a reservation has cores only. docs/slurm-releases.md: its nodes count as reserved whole."""
    return any(re.search(r"create reservation.*(corecnt|tres=cpu)=", line) for line in draw["commands"])


class Comparison:
    """verdict: explained (the page of releases says that it is not modelled), held, other (both reject it, for reasons that differ), open (Slurm did not get so far) or wrong."""

    def __init__(self, verdict, prop, claim, truth, request):
        self.verdict, self.property, self.claim, self.truth, self.request = verdict, prop, claim, truth, request

    def __str__(self):
        return (f"{self.property} {self.verdict}: {' '.join(self.request['rv'])} ({self.request['user']}): rv: {self.claim}; "
                f"Slurm: {': '.join(self.truth)}")


def claim_of(plan, done):
    """(now | later | unknown | rejected | failed, rv's words)."""
    if plan is None or "strategies" not in plan:
        words = plan["error"]["message"] if plan else done.stderr.strip()
        return ("rejected" if done.returncode in (2, 120) and "unknown option" not in words else "failed"), words
    if not plan["strategies"]:
        return "rejected", "; ".join(row["reason"] for row in plan["rejected"])
    wait = plan["strategies"][0]["wait"]
    words = f"{wait['basis']} ({wait['p10_s']}, {wait['p50_s']}, {wait['p90_s']})"
    if wait["p90_s"] is not None and wait["p90_s"] <= 15:
        return "now", words
    if wait["basis"].startswith("unknown") or wait["p10_s"] is None:
        return "unknown", words
    return ("later" if wait["p10_s"] >= 60 else "unknown"), words


def verdict_of_rejection(words, truth):
    kind, slurm = truth
    if kind == "started":
        return "wrong"
    if same_reason(words, slurm):
        return "held"
    if kind == "queued":
        return "open"
    return "other"


# Causes that rv names where it can't predict a wait: the job does not start at once.
CAUSES = r"^unknown: .*(licences? .* asked for|reserved for running jobs)"


def verdict_of_unknown(words, truth):
    """Held where rv names a cause and Slurm holds the job for it. Open where rv names none, or Slurm another."""
    kind, slurm = truth
    names_cause = re.search(CAUSES, words)
    if kind == "started":
        return "wrong" if names_cause else "open"
    if names_cause and kind == "held" and same_reason(words, slurm):
        return "held"
    return "open" if may_start_later(truth) else "wrong"


def may_start_later(truth):
    kind, slurm = truth
    return kind == "queued" or (kind == "held" and re.search(SHARED, slurm))


def compare(cluster, request):
    comparison = compare_all_modelled(cluster, request)
    too_cautious = comparison.verdict == "wrong" and comparison.property != "P1" and comparison.truth[0] == "started"
    if too_cautious and reserves_cores(cluster.draw):
        comparison.verdict = "explained"
    return comparison


def compare_all_modelled(cluster, request):
    plan, done = cluster.plan(request)
    claim, words = claim_of(plan, done)
    if claim == "failed":
        return Comparison("wrong", "P1", f"exit code {done.returncode}: {words}", ("", ""), request)
    if claim == "rejected":
        truth = cluster.outcome(request["user"], request["sbatch"], "", expects_start=False)
        return Comparison(verdict_of_rejection(words, truth), "P2", f"rejected: {words}", truth, request)
    header = header_of(plan["strategies"][0]["script"])
    truth = cluster.outcome(request["user"], [], header, expects_start=claim == "now")
    if claim == "now":
        return Comparison("held" if truth[0] == "started" else "wrong", "P1", words, truth, request)
    if claim == "later":
        return Comparison("held" if may_start_later(truth) else "wrong", "P3", words, truth, request)
    # Nothing is said about the length of the wait. That Slurm takes the job is said all the same.
    return Comparison(verdict_of_unknown(words, truth), "P3", words, truth, request)


# What a start may be off by on a fast clock: Slurm looks for jobs past their limit every 30 s, and a pass, the end of a job's
# processes and a submission take real time, here ten seconds of it on a busy machine.
SLACK_SECONDS = 30
SLACK_REAL_SECONDS = 10
MOST_WAIT_SECONDS = 7200  # by the cluster's clock: longer predictions are not waited for


class Prediction:
    """A request that has to wait: when it was asked for, and the start that rv predicts."""

    def __init__(self, cluster, request):
        self.request, self.job, self.refusal = request, None, ""
        self.asked = cluster.now()
        plan, done = cluster.plan(request)
        claim, self.words = claim_of(plan, done)
        self.wait = plan["strategies"][0]["wait"] if claim == "later" else {"p90_s": None}
        if self.wait["p90_s"] is None or self.wait["p90_s"] > MOST_WAIT_SECONDS:
            self.words = f"{claim}: {self.words}"
            self.wait = None
            return
        self.slack = SLACK_SECONDS + SLACK_REAL_SECONDS * cluster.speed
        self.until = self.asked + self.wait["p90_s"] + 2 * self.slack
        submitted = cluster.submit(request["user"], [], header_of(plan["strategies"][0]["script"]))
        self.job, self.refusal = submitted.stdout.strip().split(";")[0], submitted.stderr.strip()

    def comparison(self, starts):
        if self.wait is None:
            return Comparison("open", "P4", self.words, ("", ""), self.request)
        if not self.job:
            return Comparison("wrong", "P4", self.words, ("refused", self.refusal), self.request)
        began, reason = starts.get(self.job, (None, ""))
        if began is None:
            return Comparison("wrong", "P4", self.words, ("queued", reason), self.request)
        waited = began - self.asked
        held = self.wait["p10_s"] - self.slack <= waited <= self.wait["p90_s"] + self.slack
        return Comparison("held" if held else "wrong", "P4", self.words, ("started", f"after {waited:.0f} s"), self.request)


def compare_starts(cluster, requests):
    """P4: each request is planned with the ones before it in the queue. Open where rv predicts no wait."""
    predictions = [Prediction(cluster, request) for request in requests]
    due = {one.job: one.until for one in predictions if one.job}
    starts = cluster.starts_of(due)
    return [one.comparison(starts) for one in predictions]
