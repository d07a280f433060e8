#!/usr/bin/env bash
# submitit's interface in the Python package, in real jobs (python_submitit.py, a script of a user).
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

export RV PYTHONPATH="$root/python" PYTHONDONTWRITEBYTECODE=1
exits 0 python3 "$root/tests/real/python_submitit.py"
matches "tests that ran" "Ran [1-9][0-9]* tests" "$err"
lacks "none is left out" "skipped" "$err"
