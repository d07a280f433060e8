#!/usr/bin/env bash
# Another user made /tmp/rv-UID first: rv creates no socket there, names the owner, and uses another folder if one is set.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
make_user stranger /bin/bash
host loop "$(user there)"
folder=/tmp/rv-$(id -u "$(user laptop)")
stranger() { setpriv --reuid "$(id -u "$(user stranger)")" --regid "$(id -g "$(user stranger)")" --clear-groups "$@"; }
refused() {
  exits 125 rv -H loop exec true
  contains "$1" "can't trust the folder $folder: $2" "$err"
  contains "$1" "XDG_RUNTIME_DIR" "$err"
}
stranger mkdir -m 700 "$folder"
refused "another user's folder" "it belongs to $(user stranger)"
chmod 777 "$folder"
refused "one that is open to all" "it belongs to $(user stranger)"
equal "what is in it" "" "$(ls "$folder")"
rm -r "$folder"
mkdir -m 700 "$work/stranger/sockets"
chown "$(user laptop)" "$work/stranger/sockets"
stranger ln -s "$work/stranger/sockets" "$folder"
refused "a link, to a folder of this user's even" "it is a link"
rm "$folder"
stranger mkdir "$folder"
mkdir -m 700 "$work/laptop/run"
chown "$(user laptop)" "$work/laptop/run"
exits 0 laptop env XDG_RUNTIME_DIR="$work/laptop/run" "$work/rv" -H loop exec echo there
equal "another folder" there "$out"
equal "what is in the stranger's" "" "$(ls "$folder")"
rm -r "$folder"
