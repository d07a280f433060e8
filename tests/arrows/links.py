#!/usr/bin/env python3
"""Every link of a page to a file of the repository leads somewhere, and every heading that a link names is there."""
import os
import re
import subprocess
import sys

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def anchors(path):
    """As the common renderers make them of headings."""
    with open(path) as file:
        headings = re.findall(r"^#+ (.*)$", file.read(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


pages = subprocess.run(["git", "ls-files", "*.md"], cwd=root, check=True, capture_output=True, text=True).stdout.split()
faults = []
links = 0
for page in pages:
    with open(os.path.join(root, page)) as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        name, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(root, os.path.dirname(page), name)) if name else os.path.join(root, page)
        if not os.path.exists(path):
            faults.append(f"{page}: {target} leads nowhere")
        elif anchor and anchor not in anchors(path):
            faults.append(f"{page}: {target}: no such heading")
for fault in faults:
    print(fault, file=sys.stderr)
if links < 20:
    print(f"links.py: only {links} links in {len(pages)} pages", file=sys.stderr)
    faults.append("")
sys.exit(1 if faults else 0)
