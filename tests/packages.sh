#!/usr/bin/env bash
# Lists the Debian packages that rv needs, by purpose. `packages.sh install GROUP…` installs the missing ones; CI and the quick
# start use it, so that a bare Debian 12 machine is enough.
set -euo pipefail

# static glibc comes with libc6-dev; libjs-dygraphs draws the charts of the pages; python3 makes the workers run with older glibcs
build=(g++ cmake ninja-build make libcli11-dev nlohmann-json3-dev libspdlog-dev libfmt-dev libyaml-cpp-dev
  libgloo-dev libjpeg62-turbo-dev libpng-dev zlib1g-dev libjs-dygraphs ca-certificates python3)
# ccache makes the second build quick, and mold links the tests; the linters and doctest are for the tests alone
tests=(git doctest-dev shellcheck clang-format-14 clang-tidy-14 clang-14 libclang-rt-14-dev python3 python3-venv python3-pip mypy python3-yaml python3-jsonschema bsdextrautils util-linux procps gzip ccache mold curl
  openssl openssh-server openssh-client iproute2 rsync strace rpm dpkg-dev zsh fish tcsh busybox chromium bindfs perl-base man-db groff
  jupyter-notebook fio iperf3 podman crun catatonit libmujoco-dev libqhull-dev
  libjpeg-turbo-progs)

# rv accept --kubernetes is tried with the real kubectl, Debian's where there is none; another's can't stand beside it.
command -v kubectl >/dev/null || tests+=(kubernetes-client)

case "${1:-}" in
  install) shift ;;
  *)
    echo "usage: packages.sh install build|tests…" >&2
    exit 2
    ;;
esac

wanted=()
for group in "$@"; do
  case $group in
    build) wanted+=("${build[@]}") ;;
    tests) wanted+=("${tests[@]}") ;;
    *)
      echo "packages.sh: no group is called $group; there are build and tests" >&2
      exit 2
      ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done

# An older bash than this machine's, for the batch scripts, and an older glibc, for the workers: Debian 11's, unpacked beside.
# Debian will move that release out of reach of its mirrors one day; then both run with this machine's alone.
older_release() {
  [ ! -x /opt/bash-5.1/bin/bash ] || [ ! -d /opt/glibc-2.31 ] || return 0
  local folder keys=/usr/share/keyrings/debian-archive-keyring.gpg
  folder=$(mktemp -d)
  mkdir -p "$folder/lists/partial"
  echo "deb [signed-by=$keys] http://deb.debian.org/debian bullseye main" >"$folder/sources.list"
  local apt=(apt-get -qq -o APT::Sandbox::User=root -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=-
    -o Dir::State::Lists="$folder/lists")
  if (cd "$folder" && "${apt[@]}" update && "${apt[@]}" download 'bash=5.1*' 'libc6=2.31*' &&
    for package in *.deb; do dpkg -x "$package" root || exit; done) >"$folder/said" 2>&1; then
    mkdir -p /opt/bash-5.1/bin
    mv "$folder/root/bin/bash" /opt/bash-5.1/bin/bash
    [ -d /opt/glibc-2.31 ] || mv "$folder/root/lib/x86_64-linux-gnu" /opt/glibc-2.31
  else
    echo "packages.sh: Debian 11's bash and glibc can't be had, so no older ones are tried: $(tail -n 1 "$folder/said")" >&2
  fi
  rm -rf "$folder"
}

# Docker's client, which reads the words that rv gives it; of its package it alone, not the service. Another's will do.
docker_client() {
  local folder
  ! command -v docker >/dev/null && [ ! -x /opt/docker-client/docker ] || return 0
  folder=$(mktemp -d)
  if (cd "$folder" && apt-get -qq -o APT::Sandbox::User=root update && apt-get -qq -o APT::Sandbox::User=root download docker.io &&
    dpkg -x docker.io_*.deb root) >"$folder/said" 2>&1; then
    mkdir -p /opt/docker-client
    mv "$folder/root/usr/bin/docker" /opt/docker-client/docker
  else
    echo "packages.sh: Docker's client can't be had: $(tail -n 1 "$folder/said")" >&2
  fi
  rm -rf "$folder"
}
case " $* " in *" tests "*) [ "$(id -u)" -ne 0 ] || { older_release && docker_client; } ;; esac

[ "${#missing[@]}" -gt 0 ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo "packages.sh: these packages are missing, and only root can install them: ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
# In some containers only root may write /dev/null, and apt's own user, who checks signatures, then can't.
as_root=()
[ "$(stat -c %a /dev/null)" = 666 ] || as_root=(-o APT::Sandbox::User=root)
apt-get "${as_root[@]}" update -qq
apt-get "${as_root[@]}" install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
