#!/usr/bin/env python3
"""Checks that every key of Slurm which docs/slurm-releases.md claims is tested.

usage: keys.py [--write]

A key of the page's list ("Keys that are compared") must be one of draw.known_keys(). Any other key on the page, a word such as `MaxNodes`
or `OverSubscribe=NO` in backquotes, must be one of these, or stand in a file of tests/ that ELSEWHERE names. --write writes the list anew. The exit code is 1 where a key is claimed and not tested.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import draw
import draw_limits

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/slurm-releases.md"
BEGIN, END = "<!-- keys: tests/differential/keys.py --write -->\n", "<!-- end of keys -->\n"
# Backquoted words that are no settings: what commands print, states, reasons, fields and variables.
OTHER_WORDS = {
    "AllocTRES", "AllowedPartitions", "CPUEfctv", "Exclusive", "GresUsed", "JobLaunchFailure", "MaxGRESRunMinsPerUser", "NextState",
    "PreemptTime", "Preempts", "QOS", "RaisedSignal", "ReqTRES", "Restarts", "SubmitLine", "TRES", "UnavailableNodes", "ASAP", "UNDRAIN",
    "SLURM_CLUSTERS", "SLURM_CONF", "SLURM_JOB_SLUID", "CANCEL", "SUSPEND", "PriorityFlags", "FORCE", "GANG", "PreemptParameters",
}
# Not settings of a plan: where the tests of what the page says of them are.
ELSEWHERE = {
    "AuthInfo": "tests/slurm/parse/parse_cluster_test.cpp",
    "CgroupJobIdPaths": None,  # read in Slurm's sources; its effect on a folder's name is in tests/templates
    "JobRequeue": "tests/slurm/parse/parse_cluster_test.cpp",
    "AccountingStorageEnforce": "tests/sites",
    "MAX_TRES_GRES": "tests/planner/cluster/cost_test.cpp",
    "PrivateData": "tests/slurm/parse/parse_cluster_test.cpp",
    "ResumeTimeout": "tests/slurm/parse/parse_cluster_test.cpp",
    "SchedulerParameters": "tests/slurm/parse/parse_cluster_test.cpp",
    "SelectType": "tests/sites",
}


def words_of(key):
    """MaxTRES of "QOS MaxTRES" and of "MaxTRES=cpu=4"."""
    return re.sub(r"[=:].*", "", key.split(" ")[-1])


def holds(path, key):
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return any(key in one.read_text(encoding="utf-8", errors="replace") for one in files)


def listed_keys(page):
    inside = page.partition(BEGIN)[2].partition(END)[0]
    return re.findall(r"`([^`]+)`", inside)


def untested(page):
    drawn = set(draw.known_keys())
    tested = {words_of(key) for key in drawn} | set(draw_limits.QOS_FLAGS)
    flags = re.search(r"The plan supports these flags of a QOS: (.*?)\.\n", page, re.DOTALL)
    for flag in re.findall(r"[A-Z]\w+", flags.group(1) if flags else "Nothing"):
        if flag not in draw_limits.QOS_FLAGS:
            yield f"{flag} is on the page as a flag of QOS, but not drawn"
    for key in listed_keys(page):
        if key not in drawn:
            yield f"{key} is listed, but not drawn"
    rest = page.partition(BEGIN)[0] + page.partition(END)[2]
    rest = re.sub(r"\n[^\n]* not modelled:\n(?:[- ][^\n]*\n)+", "\n", rest)
    for word in sorted(set(re.findall(r"`(?:PriorityFlags=)?([A-Z][A-Za-z_]+)[=:…`]", rest)) - OTHER_WORDS - tested):
        if word not in ELSEWHERE:
            yield f"{word} is on the page, but neither drawn nor tested elsewhere"
        elif ELSEWHERE[word] and not holds(ROOT / ELSEWHERE[word], word):
            yield f"{ELSEWHERE[word]} does not test {word}"


def written(page):
    by_kind = {}
    for key in draw.known_keys():
        kind = key.split(" ")[0] if key.split(" ")[0] in ("QOS", "association", "sbatch") else "cluster, nodes and partitions"
        by_kind.setdefault(kind, []).append(f"`{key}`")
    text = "".join(f"- {kind}: {', '.join(keys)}\n" for kind, keys in sorted(by_kind.items()))
    return page.partition(BEGIN)[0] + BEGIN + text + END + page.partition(END)[2]


def main():
    page = PAGE.read_text(encoding="utf-8")
    if "--write" in sys.argv[1:]:
        page = written(page)
        PAGE.write_text(page, encoding="utf-8")
    faults = list(untested(page))
    if not listed_keys(page):
        faults.append(f"{PAGE} has no list of keys")
    print("\n".join(faults) or f"{len(listed_keys(page))} keys are listed and tested")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
