# Starts Podman for tests as this machine allows it, and makes an image of rv's workers from the build folder. Needs $work and
# RV.
# shellcheck shell=bash
: "${work:?a folder that the test owns}"

# make_podman: bin/podman in this folder, with a storage of the test's own: as root without CAP_SYS_RESOURCE limits can't be
# raised, and crun knows cgroup 2 alone.
make_podman() {
  mkdir bin
  printf '[containers]\ndefault_ulimits = ["nofile=1000:1000", "nproc=1000:1000"]\n' >containers.conf
  printf '[storage]\ndriver = "vfs"\nrunroot = "%s/run"\ngraphroot = "%s/storage"\n' "$work" "$work" >storage.conf
  cat >bin/podman <<S
#!/bin/bash
export CONTAINERS_CONF=$PWD/containers.conf CONTAINERS_STORAGE_CONF=$PWD/storage.conf
[ "\$(stat -fc %T /sys/fs/cgroup)" != cgroup2fs ] || exec $(command -v podman) "\$@"
exec unshare -m bash -c 'umount -l /sys/fs/cgroup 2>/dev/null; mount -t cgroup2 none /sys/fs/cgroup && exec "\$0" "\$@"' $(command -v podman) "\$@"
S
  chmod +x bin/podman
}

# build_image NAME: by examples/containers, without CUDA, and with a file /rv-image by which its root is known.
build_image() {
  local examples
  examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples/containers" && pwd)
  bash "$examples/image_folder.sh" --no-cuda "$(dirname "$RV")/../workers" image || fail "no root folder of an image"
  : >image/rv-image
  bin/podman build -q -t "$1" -f "$examples/Containerfile" image >built 2>&1 || fail "podman builds no image: $(<built)"
}
