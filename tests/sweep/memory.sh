#!/usr/bin/env bash
# A point that exceeds the host's memory is recognised by the kernel's counter, and an unrelated SIGKILL is not mistaken for it.
set -euo pipefail
# shellcheck source=tests/memory_cgroup.sh
source "$(dirname "$0")/../memory_cgroup.sh"
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"
trap 'code=$(end_code "$?"); drop_group; drop_work "$code"; exit "$code"' EXIT
goes_on=yes
limit_group 200

cat >eat.py <<'END'
import os, signal, sys
if sys.argv[1] == "13":
    os.kill(os.getpid(), signal.SIGKILL)
eaten = bytearray(int(sys.argv[1]) << 20)
print("Steps per second: 5")
END
exits 1 in_group "$RV" sweep --local --device cpu --cooldown 0 --every 0.1s \
  --over mb=10,13,600,100 --report-dir r -- python3 eat.py '{mb}'
says "kinds of ends" '[p["end"]["kind"] for p in d["points"]] == ["done", "killed", "host-out-of-memory", "done"]' r/results.json
says "by the kernel's count" '"oom_kill counter rose by 1" in d["points"][2]["end"]["evidence"]' r/results.json
says "and without it" '"oom_kill counter did not rise" in d["points"][1]["end"]["evidence"]' r/results.json
says "the limit" 'd["points"][2]["samples"]["figures"]["peak_cgroup_mib"] <= 201' r/results.json
contains "the column" "$(printf '\n600,')" "$(cat r/combined_results.csv)"
equal "oom of each" "10 NO,13 ,600 YES,100 NO" "$(awk -F, 'NR > 1 {printf "%s%s %s", (NR > 2 ? "," : ""), $1, $11}' r/combined_results.csv)"
