#!/usr/bin/env bash
# The workers, and the libraries embedded in them, require glibc 2.28 at most. usage: older_glibc.sh FILE…
set -euo pipefail
work=$(mktemp -d)
# shellcheck source=tests/assertions.sh
. "$(dirname "$(realpath "$0")")/../assertions.sh"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes

glibcs='^(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|ld-linux-x86-64\.so\.2)$'
carried='^(libgcc_s\.so\.1|libstdc\+\+\.so\.6|libgloo\.so\.0)$'

# newer FILE: symbols that it takes of a glibc after 2.28.
newer() {
  objdump -T "$1" | awk '/\*UND\*/ && match($0, /GLIBC_[0-9.]+/) {
    version = substr($0, RSTART + 6, RLENGTH - 6); split(version, part, ".")
    if (part[1] > 2 || part[2] > 28) print version, $NF }'
}
# required FILE: versions that the loader asks for before anything runs, whether a symbol has them or not.
required() { objdump -p "$1" | awk '/required from/ { here = 1; next } NF == 0 { here = 0 } here { print $NF }'; }
# libraries FILE: what it asks for.
libraries() { objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }'; }

# asks_too_much FILE: what of it, or nothing. A file that is carried finds others beside it, and what no glibc has under a
# version in the program.
asks_too_much() {
  newer "$1"
  required "$1" | awk -F'[_.]' '/^GLIBC_/ && ($2 > 2 || $3 > 28) { print "version", $0 }'
  case $1 in
    */carried/*) libraries "$1" | grep -Ev -e "$glibcs" -e "$carried" || true ;;
    *)
      libraries "$1" | grep -Ev -e "$glibcs" || true
      required "$1" | grep -v '^GLIBC_' || true
      ;;
  esac
}

# A program that is linked the usual way on this machine is found out.
contains "an ordinary program" "GLIBC_2.3" "$(asks_too_much "$(command -v bash)")"
# A symbol of a glibc that was not reviewed ends the build.
root=$(cd "$(dirname "$(realpath "$0")")/../.." && pwd)
libc=$(dirname "$(ldconfig -p | awk '/libc\.so\.6.*x86-64/ { print $NF; exit }')")
exits 1 python3 "$root/cmake/older_glibc.py" "$(command -v bash)" "$work/bash" --newest 2.28 --reviewed 2.30 --libc "$libc"
matches "the refusal" "GLIBC_2\.3[0-9], a glibc that has not been reviewed" "$err"

for file in "$@"; do
  # A file that can't be read asks for nothing: one that can asks for the C library at least.
  contains "libraries of $file" libc.so.6 "$(libraries "$file")"
  equal "$file asks for what a node with glibc 2.28 lacks" "" "$(asks_too_much "$file")"
done
