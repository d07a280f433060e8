#!/usr/bin/env bash
# Random runs with RV_HOME on real NFS: boots a user-mode Linux whose kernel serves NFS to two clients of its own. The rv that
# the user calls reads the run folders through one client, and Slurm and the jobs through the other. Each client has the
# kernel's default caches.
#
# usage: over_nfs.sh VERSION RESULTS SEED COUNT [random_runs.py's options]
#   VERSION   4.2, 4.1 or 3 (with 3 both clients share one host name and differ only in their caches)
#   RESULTS   folder on this machine for the log and for the files that random_runs.py keeps
#
# Run by hand, as root. Needs the packages user-mode-linux, kmod, nfs-kernel-server and nfs-common. RV is the binary. A virtual
# machine in user mode is slow: three lanes make about two runs per minute.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

host() {
  local version=$1 results
  results=$(readlink -m "$2")
  mkdir -p "$results"
  cp "${RV:-$here/../../build/cli/rv}" "$results/rv"
  shift 2
  printf '%q ' "$version" "$@" >"$results/arguments"
  linux.uml mem=4G root=/dev/root rootflags=/ rootfstype=hostfs ro quiet con=null con0=null,fd:1 \
    init="$(readlink -f "$0")" -- --guest "$results" </dev/null >"$results/kernel.log" 2>&1 || true
  cat "$results/log"
  [ "$(cat "$results/code" 2>/dev/null)" = 0 ]
}

# What a booted machine has and this one lacks.
boot() {
  export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8
  mount -t proc proc /proc
  mount -t sysfs sys /sys
  mount -t devtmpfs dev /dev || true
  ln -s /proc/self/fd /dev/fd
  ln -s fd/0 /dev/stdin
  ln -s fd/1 /dev/stdout
  ln -s fd/2 /dev/stderr
  mkdir -p /dev/pts /dev/shm
  mount -t devpts pts /dev/pts
  mount -t tmpfs -o mode=1777 shm /dev/shm
  mount -t tmpfs -o mode=1777 tmp /tmp
  mount -t tmpfs run /run
  ip link set lo up
  hostname login
  # The root file system is this machine's, read-only. Modules are not where modprobe looks.
  mkdir -p /tmp/modules/lib /tmp/nfs /tmp/results
  ln -s /usr/lib/uml/modules /tmp/modules/lib/modules
  local module
  for module in nfsd nfsv3 nfsv4 veth; do modprobe -d /tmp/modules "$module"; done
  cp -a /var/lib/nfs/. /tmp/nfs
  mount --bind /tmp/nfs /var/lib/nfs
}

# The nodes' side: a mount namespace, and a network namespace with another address and host name, because an NFS 4 server knows
# clients by their names. $nodes is the process that holds them.
separate_nodes() {
  ip netns add nodes
  ip link add login type veth peer name nodes
  ip link set nodes netns nodes
  ip addr add 10.9.0.1/24 dev login
  ip link set login up
  ip netns exec nodes ip addr add 10.9.0.2/24 dev nodes
  ip netns exec nodes ip link set nodes up
  unshare --mount --propagation private --uts bash -c 'hostname nodes; exec sleep infinity' &
  nodes=$!
  until [ "$(nsenter --uts="/proc/$nodes/ns/uts" hostname)" = nodes ]; do sleep 0.1; done
}

serve() {
  mount -t nfsd nfsd /proc/fs/nfsd
  mkdir -p /run/rpc_pipefs /run/lock
  mount -t rpc_pipefs pipes /run/rpc_pipefs
  rpcbind -w
  rpc.statd --no-notify
  echo 10 >/proc/fs/nfsd/nfsv4leasetime
  echo 10 >/proc/fs/nfsd/nfsv4gracetime
  rpc.nfsd -H 0.0.0.0 8
  rpc.mountd
  mkdir -p /tmp/export
  mount -t tmpfs -o size=1m export /tmp/export
  exportfs -i -o rw,no_root_squash,no_subtree_check,insecure,fsid=0,crossmnt '*:/tmp/export'
}

# share VERSION LANE: a file system of 64 MB, which both clients mount.
share() {
  local version=$1 lane=lane$2 path in_nodes=(nsenter --mount="/proc/$nodes/ns/mnt")
  mkdir -p "/tmp/export/$lane" "/tmp/disks/$lane"
  mount -t tmpfs -o size=64m "$lane" "/tmp/export/$lane"
  exportfs -i -o "rw,no_root_squash,no_subtree_check,insecure,fsid=$(($2 + 1))" "*:/tmp/export/$lane"
  case $version in
    3)
      path=/tmp/export/$lane
      mount -t nfs -o vers=3,nosharecache "127.0.0.1:$path" "/tmp/disks/$lane"
      "${in_nodes[@]}" mount -t nfs -o vers=3,nosharecache "127.0.0.1:$path" "/tmp/disks/$lane"
      ;;
    *)
      mount -t nfs -o "vers=$version" "127.0.0.1:/$lane" "/tmp/disks/$lane"
      "${in_nodes[@]}" --net=/run/netns/nodes --uts="/proc/$nodes/ns/uts" mount -t nfs -o "vers=$version" "10.9.0.1:/$lane" "/tmp/disks/$lane"
      ;;
  esac
}

guest() {
  local results=$1 arguments version
  boot
  mount -t hostfs -o "$results" none /tmp/results
  exec >/tmp/results/log 2>&1
  eval "arguments=($(</tmp/results/arguments))"
  version=${arguments[0]}
  serve
  separate_nodes
  for lane in 0 1 2; do share "$version" "$lane"; done
  grep ' nfs' /proc/mounts
  # A link between a client's mounts and the server's, seen from both sides.
  echo seen >/tmp/disks/lane0/probe
  nsenter --mount="/proc/$nodes/ns/mnt" cat /tmp/disks/lane0/probe
  cd /tmp
  RV=/tmp/results/rv "$here/random_runs.py" "${arguments[@]:1}" --lanes 3 --disks /tmp/disks --jobs-in "/proc/$nodes/ns/mnt" --keep /tmp/results/kept
}

if [ "${1:-}" != --guest ]; then
  host "$@"
else
  # As process 1 it must not end before the machine is halted.
  code=0
  (guest "$2") || code=$?
  echo "$code" >/tmp/results/code
  sync
  halt -f
fi
