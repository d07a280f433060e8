# For what looks at the machine's shared memory: its own, in which no other test leaves anything meanwhile. Sourced first; the
# test begins again in namespaces of its own, and what is mounted there goes with it.
# shellcheck shell=bash
if [ -z "${RV_OWN_MEMORY:-}" ]; then
  RV_OWN_MEMORY=1 exec unshare --mount --ipc --propagation private bash "$0" "$@"
fi
mount -t tmpfs none /dev/shm
