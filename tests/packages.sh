#!/usr/bin/env bash
# The Debian packages that rv needs, by what for. `packages.sh install GROUP…` installs what is missing; CI and the
# quick start use it, so that a bare Debian 12 machine is enough.
set -euo pipefail

# static glibc comes with libc6-dev; libjs-dygraphs draws the charts of the pages
build=(g++ cmake make libcli11-dev nlohmann-json3-dev libspdlog-dev libfmt-dev libyaml-cpp-dev
  libgloo-dev libjs-dygraphs ca-certificates)
# ccache makes the second build quick; the linters and doctest are for the tests alone
tests=(git doctest-dev shellcheck clang-format-14 clang-tidy-14 python3 python3-venv python3-pip bsdextrautils util-linux procps gzip ccache curl
  openssl openssh-server openssh-client rsync strace rpm dpkg-dev zsh fish tcsh busybox chromium bindfs perl-base man-db groff jupyter-notebook)

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
