#!/usr/bin/env bash
# The picture in README.md can be recorded: candidates wait, one of them starts, and the shell has its GPUs.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir bin
ln -s "$RV" bin/rv
PATH=$PWD/bin:$PATH python3 "$root/examples/picture/record.py" up.svg || fail "the recording failed"
python3 - up.svg <<'PY' || fail "the recording lacks a part of the session"
import sys
import xml.etree.ElementTree

svg = xml.etree.ElementTree.parse(sys.argv[1])
text = "\n".join(svg.getroot().itertext())
for part in ["rv up --gpu 4 --time 30m", "waiting for GPUs", "4× V100 on gpu-v100", "is yours for 30m", "GPUs 0,1,2,3 on udc-ba33-"]:
    if part not in text:
        sys.exit(f"not in the picture: {part}")
PY
