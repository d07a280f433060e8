#!/usr/bin/env bash
# Reports whose node, model and figure names are HTML markup: a browser executes none of it, in tables, charts and axes.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/accept/lib.sh
source "$here/../accept/lib.sh"

markup="<img src=x onerror=\"document.title='taken over'\">"
python3 "$here/reports.py" hostile 3 8 --slow gpu01:2
mv hostile/reports/gpu01 "hostile/reports/$markup"
find hostile -name '*.jsonl' -exec python3 -c '
import sys
markup = sys.argv[1].replace("\"", "\\\"")
for path in sys.argv[2:]:
    text = open(path).read()
    for name in ("NVIDIA H200", "580.159.04", "gemm_bf16", "TFLOP/s"):
        text = text.replace(name, name + markup)
    open(path, "w").write(text)' "$markup" {} +
exits 1,3 "$RV" accept --judge hostile
python3 "$here/hostile.py" hostile/accept.html || fail "a name of a report is more than text"
