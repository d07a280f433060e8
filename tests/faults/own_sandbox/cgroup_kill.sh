#!/usr/bin/env bash
# More memory than asked for, where the kernel watches (cgroup): the process is killed, the run says why, once.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
if [ ! -d /sys/fs/cgroup/memory ]; then
  echo "this kernel has no memory cgroups of version 1, which the sandbox's slurmd uses"
  exit 77
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
# The jobs are looked for while there is a Slurm to ask.
trap '(clean_up); code=$?; take_down; exit "$code"' EXIT

exits 137 rv run -g 1 --mem 100M --time 5m --name hungry -f \
  bash -c 'echo x >>ate; exec python3 -c "x = bytearray(600 << 20)"'
contains "what the user sees" "rv why" "$err"
exits 0 rv why hungry
contains "the cause" "it needed more memory than it had asked for" "$out"
contains "its proof" "oom-kill event" "$out"
contains "the way out" "ask for more with --mem" "$out"
equal "times that it ate" 1 "$(wc -l <ate)"
exits 0 rv run -g 1 --mem 900M --time 5m -f python3 -c 'x = bytearray(600 << 20)'
