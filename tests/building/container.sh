#!/usr/bin/env bash
# The Containerfile builds: its files exist and its commands succeed. An empty image with this machine's folders mounted stands
# for debian:12, and apt-get only simulates; a real build would take minutes and a registry.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-building-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
# shellcheck disable=SC2317 # called by the trap
ended() { local code=$? && code=$(end_code "$code") && drop_work "$code" && exit "$code"; }
trap ended EXIT
goes_on=yes
cd "$work"
# shellcheck source=tests/podman.sh
source "$root/tests/podman.sh"
make_podman

mkdir -p base/tmp base/usr base/opt base/etc base/var/lib/dpkg base/proc base/sys base/dev
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "base/$folder"; done
chmod 1777 base/tmp
tar -C base -c . | bin/podman import -q - docker.io/library/debian:12 >imported 2>&1 || fail "no base image: $(<imported)"
printf '#!/bin/sh\necho "apt-get $*"\n' >apt-get
chmod +x apt-get

# chroot: a container's limits can't be set everywhere (tests/podman.sh). What is written to /usr goes into a layer.
bin/podman build --isolation chroot --pull=never -t rv-dev -v /usr:/usr:O -v "$work/apt-get:/usr/bin/apt-get:ro" -v /opt:/opt:ro \
  -v /etc:/etc:ro -v /var/lib/dpkg:/var/lib/dpkg:ro "$root" >built 2>&1 || fail "the Containerfile does not build: $(<built)"
contains "it installs Slurm" "apt-get install -q -y --no-install-recommends slurmctld" "$(<built)"
contains "it is made to its end" "Successfully tagged localhost/rv-dev" "$(<built)"
