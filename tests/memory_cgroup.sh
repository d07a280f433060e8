# Gives a test a memory cgroup of its own: version 1 if the machine has it, else version 2, in private mounts. Sourced first; it
# restarts the test inside them. Sets $memory_cgroups, the mount point, and $group.
# shellcheck shell=bash
[ -n "${RV_OWN_MOUNTS:-}" ] || RV_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0"
if [ ! -d /sys/fs/cgroup/memory ] && ! grep -qw memory /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
  mount -t tmpfs cgroup /sys/fs/cgroup
  mkdir /sys/fs/cgroup/memory
  mount -t cgroup -o memory memory /sys/fs/cgroup/memory
fi
if [ -d /sys/fs/cgroup/memory ]; then
  memory_cgroups=/sys/fs/cgroup/memory
else
  memory_cgroups=/sys/fs/cgroup
  echo +memory >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || true
fi
group=$memory_cgroups/rv-test-$$
mkdir "$group"

# limit_group MIB: no more than that of memory, and none of swap.
limit_group() {
  local file=$group/memory.max
  [ -e "$file" ] || file=$group/memory.limit_in_bytes
  echo $(($1 << 20)) >"$file"
  [ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
}

# in_group COMMAND…: as a process of the group.
in_group() {
  # shellcheck disable=SC2016 # expands in the inner shell
  bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}

# drop_group: once its processes are over.
drop_group() {
  for _ in {1..50}; do
    rmdir "$group" 2>/dev/null && return 0
    sleep 0.1
  done
  rmdir "$group"
}
