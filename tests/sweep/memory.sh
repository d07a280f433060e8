#!/usr/bin/env bash
# Out of the host's memory by the kernel's own count, and a SIGKILL that has nothing to do with it.
set -euo pipefail
# A memory cgroup of this test's own: version 1 where the machine has it, else version 2.
if [ ! -d /sys/fs/cgroup/memory ] && ! grep -qw memory /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
  [ -n "${RV_OWN_MOUNTS:-}" ] || RV_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0"
  mount -t tmpfs cgroup /sys/fs/cgroup
  mkdir /sys/fs/cgroup/memory
  mount -t cgroup -o memory memory /sys/fs/cgroup/memory
fi
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"
if [ -d /sys/fs/cgroup/memory ]; then
  group=/sys/fs/cgroup/memory/rv-sweep-$$ limit=memory.limit_in_bytes
else
  group=/sys/fs/cgroup/rv-sweep-$$ limit=memory.max
  echo +memory >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || true
fi
mkdir "$group"
trap 'code=$?; cd /; rmdir "$group"; drop_work "$code"; exit "$code"' EXIT
echo $((200 << 20)) >"$group/$limit"
[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"

cat >eat.py <<'END'
import os, signal, sys
if sys.argv[1] == "13":
    os.kill(os.getpid(), signal.SIGKILL)
eaten = bytearray(int(sys.argv[1]) << 20)
print("Steps per second: 5")
END
# shellcheck disable=SC2016 # the inner shell's own words
exits 1 bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$RV" sweep --local --device cpu --cooldown 0 --every 0.1s \
  --over mb=10,13,600,100 --report-dir r -- python3 eat.py '{mb}'
says "told apart" '[p["end"]["kind"] for p in d["points"]] == ["done", "killed", "host-out-of-memory", "done"]' r/results.json
says "by the kernel's count" '"oom_kill counter rose by 1" in d["points"][2]["end"]["evidence"]' r/results.json
says "and without it" '"oom_kill counter did not rise" in d["points"][1]["end"]["evidence"]' r/results.json
says "the limit" 'd["points"][2]["samples"]["figures"]["peak_cgroup_mib"] <= 201' r/results.json
contains "the column" "$(printf '\n600,')" "$(cat r/combined_results.csv)"
equal "oom of each" "10 NO,13 ,600 YES,100 NO" "$(awk -F, 'NR > 1 {printf "%s%s %s", (NR > 2 ? "," : ""), $1, $11}' r/combined_results.csv)"
