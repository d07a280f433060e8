#!/usr/bin/env python3
"""Checks the wording of texts and commit messages (docs/style.md).

usage: phrases.py [ROOT]

A listed phrase is a fault in the files of FINISHED, which grows folder by folder. Code blocks and code spans of Markdown are
skipped: they show what programs print. Commits after the one that added this file need a subject `area: verb object` of at
most 72 characters, and a body if they change more than 50 lines.
"""
import re
import subprocess
import sys

PHRASES = {
    r"(?<!\bthere) is no (?!longer\b|more\b)": 'negate the verb: "is not valid JSON"',
    r" told\b": "programs print, report, send or receive",
    r"so often": "give the number: at most N times",
    r"shall be": "say what is needed",
    r"which\?": "state the fact; do not ask",
    r"what came of it": "the result",
}
FINISHED = [".md", ".ci/", "base/", "cli/", "cmake/", "examples/", "monitor/", "planner/", "reports/", "shared/", "slurm/",
            "templates/", "tests/", "workers/"]  # endings and folders
EXEMPT = ["docs/style.md", "tests/phrases.py", "tests/phrases_test.py"]  # these quote the phrases
SUBJECT = re.compile(r"[\w./-]+( [\w./-]+)?(, [\w./-]+( [\w./-]+)?)*: \S.*")
LONGEST_SUBJECT = 72
LINES_WITHOUT_BODY = 50


def git(root, *words):
    return subprocess.run(["git", "-C", root, *words], check=True, capture_output=True, text=True).stdout


def prose(path, text):
    """The text with code of Markdown blanked out; line numbers stay."""
    if not path.endswith(".md"):
        return text
    text = re.sub(r"^```.*?^```", lambda block: "\n" * block.group().count("\n"), text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def check_texts(root):
    finished = [path for path in git(root, "ls-files").splitlines() if path not in EXEMPT
                and any(path.endswith(part) or path.startswith(part) for part in FINISHED)]
    faults = [] if finished else ["git lists no finished files"]
    for path in finished:
        try:
            with open(f"{root}/{path}", encoding="utf-8") as file:
                text = prose(path, file.read())
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # a picture, or a file that is about to be removed
        for number, line in enumerate(text.splitlines(), 1):
            for phrase, advice in PHRASES.items():
                if re.search(phrase, line, re.I):
                    faults.append(f"{path}:{number}: {line.strip()[:90]}\n    {advice}")
    return faults


def check_commits(root):
    first = git(root, "log", "--diff-filter=A", "--format=%H", "--", "tests/phrases.py").split()
    faults = []
    for commit in git(root, "rev-list", "--no-merges", f"{first[-1]}..HEAD").split() if first else []:
        subject, _, body = git(root, "log", "-1", "--format=%B", commit).strip().partition("\n")
        counts = re.findall(r"^(\d+)\t(\d+)\t", git(root, "show", "--numstat", "--format=", commit), re.M)
        lines = sum(int(added) + int(removed) for added, removed in counts)
        if len(subject) > LONGEST_SUBJECT:
            faults.append(f"{commit[:8]}: the subject has {len(subject)} characters, at most {LONGEST_SUBJECT}: {subject}")
        if not SUBJECT.fullmatch(subject):
            faults.append(f"{commit[:8]}: expected `area: verb object`: {subject}")
        if lines > LINES_WITHOUT_BODY and not body.strip():
            faults.append(f"{commit[:8]}: {lines} changed lines need a body that says why: {subject}")
    return faults


if __name__ == "__main__":
    found = check_texts(sys.argv[1] if len(sys.argv) > 1 else ".") + check_commits(sys.argv[1] if len(sys.argv) > 1 else ".")
    for fault in found:
        print(f"phrases.py: {fault}", file=sys.stderr)
    sys.exit(1 if found else 0)
