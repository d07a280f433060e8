#!/usr/bin/env bash
# Each failure of ssh or of the login node has its own message, and rv does not report it as an exit code of the command.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
make_user nologin /usr/sbin/nologin
host loop "$(user there)"
host nologin "$(user nologin)"
host nobody nobody-at-all
cat >>"$work/laptop/.ssh/config" <<EOF
Host closed
  HostName 127.0.0.1
  Port $(free_port)
Host stranger
  HostName 127.0.0.1
  Port $port
  User $(user there)
  UserKnownHostsFile /nowhere
Host changed
  HostName 127.0.0.1
  Port $port
  User $(user there)
  UserKnownHostsFile $work/changed_hosts
Host slow
  HostName 127.0.0.1
  Port 9
  ProxyCommand sleep 60
  ConnectTimeout 1
EOF
ssh-keygen -q -t ed25519 -N '' -f "$work/other"
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/other.pub")" >"$work/changed_hosts"

# fails_with HOST WORDS ADVICE
fails_with() {
  exits 119 rv -H "$1" exec true
  contains "$1" "$2" "$err"
  contains "advice for $1" "$3" "$err"
}
fails_with no-such-host.invalid "the address of no-such-host.invalid is unknown" "check the name"
fails_with closed "no ssh server listens" "check the port"
fails_with stranger "the host key of stranger is not known" "fingerprint"
fails_with changed "a host key that differs from the earlier one" "ssh-keygen -R changed"
fails_with nobody "nobody refused the login" "check user name"
fails_with nologin "login shell of nologin ended with code 1" "may not run commands"
exits 2 rv -H -oProxyCommand=true exec true
exits 119 rv -H closed exec true --json
exits 119 rv --json -H closed exec true
says "the error" 'd["error"]["exit_code"] == 119' "$work/err"

# A command's 255 is its own; a lost connection is not an exit code.
exits 255 rv -H loop exec sh -c 'exit 255'
equal "nothing to say about it" "" "$(grep -v 'copying rv' "$work/err" || true)"
rv -H loop exec sleep 60 2>"$work/lost" &
client=$!
sleeping() { pgrep -u "$(user there)" -x sleep >/dev/null; }
wait_for 30 sleeping || fail "the command does not start: $(<"$work/lost")"
pkill -KILL -u "$(user there)" -f '^sshd:' || fail "no session to kill"
code=0
wait "$client" || code=$?
equal "code of a lost connection" 119 "$code"
contains "a lost connection" "the connection to loop was lost" "$(<"$work/lost")"
contains "what became of the command" "may still run there: ssh loop ps x lists your processes" "$(<"$work/lost")"

# The next command logs in again.
exits 0 rv -H loop exec echo back
equal "after a loss" back "$out"

# Another user's folder in place of that of the control socket.
laptop_id=$(id -u "$(user laptop)")
mv "/tmp/rv-$laptop_id" "$work/moved"
mkdir -m 777 "/tmp/rv-$laptop_id"
exits 125 rv -H loop exec true
contains "a folder for everybody" "belongs to root (user 0)" "$err"
rmdir "/tmp/rv-$laptop_id"
mv "$work/moved" "/tmp/rv-$laptop_id"

# The login node's disk is full, or may not be written: nothing half-made stays.
mkdir "$work/small"
mount -t tmpfs -o "size=1m,uid=$(id -u "$(user there)"),mode=700" none "$work/small"
mkdir -p "$work/laptop/.rv"
printf 'host: loop\ncluster_home: %s\n' "$work/small" >"$work/laptop/.rv/config.yaml"
exits 119 rv exec true
contains "a full disk" "rv can't be copied to loop" "$err"
contains "a full disk" "No space left" "$err"
contains "a full disk's advice" "free some space" "$err"
equal "left on the full disk" "" "$(find "$work/small" -type f)"
umount --lazy "$work/small"
printf 'host: loop\ncluster_home: %s\n' /proc/rv >"$work/laptop/.rv/config.yaml"
exits 119 rv exec true
contains "no place to write" "rv can't be copied to loop" "$err"
rm "$work/laptop/.rv/config.yaml"

mkdir "$work/only_find"
ln -s "$(command -v find)" "$work/only_find"
# A start-up file leaves no PATH: what can't be read is not reported as another system, nor as safe.
for installed in no yes; do
  [ "$installed" = yes ] || rm -rf "$work/there/.rv"
  for path in /nowhere "$work/only_find"; do
    [ "$installed" = no ] || [ "$path" = /nowhere ] || continue
    echo "PATH=$path" >"$work/there/.bashrc"
    exits 119 rv -H loop exec true
    contains "$path" "the system of loop can't be read: " "$err"
    contains "$path" "not found (PATH is $path)" "$err"
    contains "its advice" "ssh loop uname -a must work" "$err"
  done
  rm "$work/there/.bashrc"
  exits 0 rv -H loop exec true
done

# Another kind of machine, and a kernel that is too old, are reported before anything is copied.
mkdir "$work/bin"
# shellcheck disable=SC2016  # $1 is the script's
for system in "Linux aarch64 5.14.0" "Linux x86_64 2.6.32-754.el6" "Darwin x86_64 22.1"; do
  read -r name machine release <<<"$system"
  printf '#!/bin/sh\ncase $1 in -s) echo %s;; -m) echo %s;; -r) echo %s;; esac\n' "$name" "$machine" "$release" >"$work/bin/uname"
  chmod 755 "$work/bin/uname"
  rm -rf "$work/there/.rv"
  echo "PATH=$work/bin:\$PATH" >"$work/there/.bashrc"
  exits 119 rv -H loop exec true
  case $name$machine$release in
    *aarch64*) contains "$system" "loop has aarch64 processors" "$err" ;;
    *el6*) contains "$system" "too old for rv" "$err" ;;
    *) contains "$system" "runs Darwin" "$err" ;;
  esac
  [ ! -e "$work/there/.rv" ] || fail "$system: something was copied"
done
