# Gives a test its own shared memory, in which no other test leaves anything. Sourced first; the test restarts in namespaces of
# its own.
# shellcheck shell=bash
if [ -z "${RV_OWN_MEMORY:-}" ]; then
  RV_OWN_MEMORY=1 exec unshare --mount --ipc --propagation private bash "$0" "$@"
fi
mount -t tmpfs none /dev/shm
