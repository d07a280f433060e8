#!/usr/bin/env bash
# A command that uses more memory than it requested is killed by the kernel (cgroup) and not started again, and rv why names the
# cause and a larger --mem.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
# Where the machine has not mounted the memory cgroups of version 1, which the sandbox's slurmd uses, this test does, for
# itself alone.
if [ ! -d /sys/fs/cgroup/memory ]; then
  [ -n "${RV_OWN_MOUNTS:-}" ] || RV_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0"
  mount -t tmpfs cgroup /sys/fs/cgroup
  mkdir /sys/fs/cgroup/memory
  mount -t cgroup -o memory memory /sys/fs/cgroup/memory || {
    echo "FAIL: this kernel has given its memory controller to cgroup version 2, and the sandbox's slurmd uses version 1:" \
      "boot it with systemd.unified_cgroup_hierarchy=0, or test on a machine that has version 1" >&2
    exit 1
  }
fi
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-cgroup-XXXXXX")
export RV_SANDBOX_DIR=$own/sandbox
"$root/examples/sandbox/sandbox" up --shape "$root/tests/faults/own_sandbox/cgroup.yaml" --dir "$RV_SANDBOX_DIR"
take_down() {
  cd /
  "$root/examples/sandbox/sandbox" down --dir "$RV_SANDBOX_DIR" >/dev/null
  find /sys/fs/cgroup/memory/slurm_held-1 -depth -type d -exec rmdir {} \; 2>/dev/null || true
  rmdir "$own"
}
# shellcheck source=tests/real/lib.sh
source "$root/tests/real/lib.sh"

exits 137 rv run -g 1 --mem 100M --time 5m --name hungry -f \
  bash -c 'echo x >>ate; exec python3 -c "x = bytearray(600 << 20)"'
contains "what the user sees" "rv why" "$err"
# The command's end is recorded a moment before Slurm reports the reason.
slurm_has_ended() { [ -z "$(squeue -h -t RUNNING,COMPLETING)" ]; }
wait_for 20 slurm_has_ended
exits 0 rv why hungry
contains "the cause" "it used more memory than it had requested" "$out"
contains "its proof" "oom-kill event" "$out"
contains "the way out" "try --mem 200M" "$out"
equal "times that it ate" 1 "$(wc -l <ate)"
exits 0 rv run -g 1 --mem 900M --time 5m -f python3 -c 'x = bytearray(600 << 20)'
