#!/usr/bin/env bash
# Eight laptops install rv on the login node at the same moment: one complete binary results, and every command runs. An
# interrupted copy is never used, and the binary needs no shared library.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no" "MaxStartups 100"
make_laptop
make_user there /bin/bash
host loop "$(user there)"

for n in 1 2 3 4 5 6 7 8; do
  mkdir "$work/laptop/$n"
  chown "$(user laptop)" "$work/laptop/$n"
  # XDG_RUNTIME_DIR: connections of its own, as another laptop has.
  laptop env XDG_RUNTIME_DIR="$work/laptop/$n" "$work/rv" -H loop exec echo "from $n" >"$work/out$n" 2>/dev/null &
done
wait
for n in 1 2 3 4 5 6 7 8; do equal "laptop $n" "from $n" "$(<"$work/out$n")"; done
set -- "$work/there/.rv/bin/"*
equal "binaries there" 1 "$#"
cmp "$1" "$work/rv" || fail "another binary is there"
equal "left over" "" "$(find "$work/there/.rv/bin" -name '.*' -type f)"

# Interrupted: the transferred file never gets its final name.
rm "$1"
printf 'half' >"$work/there/.rv/bin/.${1##*/}.0123456789abcdef"
exits 0 rv -H loop exec echo whole
equal "after a copy that was cut off" whole "$out"

mkdir "$work/bare"
cp "$work/rv" "$work/bare/rv"
equal "in a tree without libraries" "$("$work/rv" --version)" "$(chroot "$work/bare" /rv --version)"
equal "a command in it" "$("$work/rv" --version)" "$(chroot "$work/bare" /rv exec /rv --version)"
