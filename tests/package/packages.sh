#!/usr/bin/env bash
# Each package is reproducible byte for byte, installs, upgrades and uninstalls without a trace, as root and into a home folder.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${RV_BUILD:?the build folder}"
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-package-XXXXXX")
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes
# shellcheck source=tests/clean_environment.sh
source "$root/tests/clean_environment.sh"
clean_environment
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"

# packages FOLDER ARGUMENTS…: what cpack makes, in that folder.
packages() {
  (cd "$RV_BUILD" && cpack -B "$1" "${@:2}") >"$work/log" 2>&1 || fail "cpack: $(tail -n 20 "$work/log")"
}
packages "$work/first"
packages "$work/second"
first=$(cd "$work/first" && sha256sum rv-*)
equal "kinds" "deb rpm xz" "$(cd "$work/first" && printf '%s\n' rv-*.* | sed 's/.*\.//' | sort | tr '\n' ' ' | sed 's/ $//')"
equal "made again" "$first" "$(cd "$work/second" && sha256sum rv-*)"
# Only to be installed over the first: the slow compression is for those that are handed on.
packages "$work/newer" -G "DEB;RPM" -R 9.9.9 -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -D CPACK_RPM_COMPRESSION_TYPE=gzip

# works FOLDER: an rv with its workers beside it, tested by a plan and by a load on the CPU.
works() {
  equal "rv in $1" "$("$RV_BUILD/cli/rv" --version)" "$("$1/rv" --version)"
  "$1/rv" plan -g 1 --time 1h --cluster "$root/tests/cli/data/small.cluster.json" >"$work/plan" ||
    fail "no plan by $1/rv: $(<"$work/plan")"
  for worker in rv-health rv-compute rv-collective rv-train rv-io rv-sample rv-stress rv-envs; do
    [ -x "$1/$worker" ] || fail "$1 has no $worker"
  done
  contains "the terms of what is within" "Facebook" "$(cat "$1"/../share/doc/rv/licences/libgloo-dev 2>&1)"
}
# empty ROOT EXCEPT: no file is left.
empty() {
  local left
  left=$(find "$1" -not -type d -not -path "$1/$2/*")
  equal "left behind in $1" "" "$left"
}

deb=$work/deb
mkdir -p "$deb/var/lib/dpkg/"{info,updates,triggers}
touch "$deb/var/lib/dpkg/status"
# Neither the libraries that it depends on nor a shell are in a bare root.
on_dpkg() { dpkg --root="$deb" --force-depends --log="$work/dpkg.log" "$@" >"$work/log" 2>&1 || fail "dpkg $*: $(<"$work/log")"; }
on_dpkg -i "$work"/first/rv-*.deb
works "$deb/usr/bin"
equal "dpkg's version" 0.2.0 "$(dpkg-query --admindir="$deb/var/lib/dpkg" -W -f '${Version}' rv)"
# The workers bring all but glibc, and want no new one.
equal "what it depends on" "libc6 (>= 2.28)" "$(dpkg-deb -f "$work"/first/rv-*.deb Depends)"
"$root/tests/workers/older_glibc.sh" "$deb"/usr/bin/rv-* || fail "the package's workers are not for older glibcs"
on_dpkg -i "$work"/newer/rv-*.deb
equal "dpkg's version, upgraded" 9.9.9 "$(dpkg-query --admindir="$deb/var/lib/dpkg" -W -f '${Version}' rv)"
on_dpkg --purge rv
empty "$deb" var

rpm_root=$work/rpm
mkdir -p "$rpm_root"
# Debian's rpm keeps its records in the home of who calls it. Without users of its own the root can't name who owns what.
rpm_there() { rpm --root "$rpm_root" --dbpath /var/lib/rpm "$@"; }
on_rpm() { rpm_there --nodeps --noscripts "$@" >"$work/log" 2>&1 || fail "rpm $*: $(<"$work/log")"; }
rpm_there --initdb
on_rpm -i "$work"/first/rv-*.rpm
works "$rpm_root/usr/bin"
on_rpm -U "$work"/newer/rv-*.rpm
contains "rpm's version, upgraded" 9.9.9 "$(rpm_there -q rv)"
on_rpm -e rv
empty "$rpm_root" var
[ ! -e "$rpm_root/usr/share/doc/rv" ] || fail "rpm leaves its own folders"

# Into a home: the archive unpacked there, and the build folder installed there.
mkdir -p "$work/home/.local" "$work/other"
tar -xJf "$work"/first/rv-*.tar.xz -C "$work/home/.local" --strip-components 1
works "$work/home/.local/bin"
cmake --install "$RV_BUILD" --prefix "$work/other/.local" >"$work/log" || fail "cmake --install: $(<"$work/log")"
works "$work/other/.local/bin"
equal "the same files both ways" "$(cd "$work/home/.local" && find . -type f | sort)" \
  "$(cd "$work/other/.local" && find . -type f | sort)"
