#!/usr/bin/env bash
# One command over ssh: rv is installed once, streams stay apart, exit codes and stdin pass, and the laptop's state is separate
# from the cluster's.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no" "AcceptEnv RVT_*"
make_laptop
make_user there /bin/bash
host loop "$(user there)"
printf "  SendEnv RVT_S*\n  SetEnv RVT_SET=\"by config\"\n" >>"$work/laptop/.ssh/config"

exits 0 rv -H loop exec pwd
equal folder "$work/there" "$out"
# Its version is rv's own, not a constant of another source (a build that compiled sources together took the wrong one).
version=$(laptop "$work/rv" --version | sed -n 's/^rv \([0-9][0-9.]*\).*/\1/p')
contains "the first time" "rv: copying rv $version (" "$err"
exits 0 rv -H loop exec pwd
equal "the second time" "" "$err"
set -- "$work"/there/.rv/bin/*
equal "one binary there" 1 "$#"
matches "named after its version and build" "^rv-${version//./\\.}-[0-9a-f]{16}$" "${1##*/}"
cmp "$1" "$work/rv" || fail "another binary is there"
equal "its mode" 700 "$(stat -c %a "$1")"
[ ! -e "$work/laptop/.rv" ] || fail "rv left something on the laptop"

for code in 0 1 97 119 127 213 254 255; do
  exits "$code" rv -H loop exec sh -c "exit $code"
  equal "stderr of code $code" "" "$err"
done
exits 3 rv -H loop exec sh -c 'echo out; echo err >&2; exit 3'
equal stdout out "$out"
equal stderr err "$err"
exits 137 rv -H loop exec sh -c 'kill -KILL $$'
exits 2 rv -H loop exec
contains "rv's own error" "needs a command" "$err"

# With an open connection a command starts no ssh; without the connection's record it does.
[ "$(laptop env PATH=/nowhere "$work/rv" -H loop exec id -un)" = "$(user there)" ] || fail "ssh is started for a session"
settings=("/tmp/rv-$(id -u "$(user laptop)")"/*.settings)
mv "${settings[0]}" "$work/settings"
laptop env PATH=/nowhere "$work/rv" -H loop exec true 2>/dev/null && fail "nothing is known of the connection, and it is used"
exits 4 rv -H loop exec sh -c 'exit 4'
mv "$work/settings" "${settings[0]}"
# The same variables arrive that ssh would send.
# shellcheck disable=SC2016 # expands on the login node
words='echo "$RVT_SENT ${RVT2:-} ${RVT_SET:-}"'
sent() { laptop env RVT_SENT=yes RVT2=no "$@"; }
equal "variables through ssh" "yes  by config" "$(sent ssh loop "$words")"
equal "variables through rv" "yes  by config" "$(sent "$work/rv" -H loop exec sh -c "$words")"

head -c 300000 /dev/urandom >"$work/bytes"
laptop "$work/rv" -H loop exec cat <"$work/bytes" >"$work/copy"
cmp "$work/bytes" "$work/copy" || fail "bytes are lost on the way"
# Nor where the command is over before its output is read: with a slow reader, ssh's window (2 MB) is full, and the rest
# waits behind it.
for size in 2280000 2300000 2320000; do
  rv -H loop exec head -c "$size" /dev/zero | { sleep 1 && wc -c; } >"$work/count"
  equal "bytes to a slow reader" "$size" "$(<"$work/count")"
done

# A full disk is not a reader that has gone, and a stdout that is closed is none that is slow.
for words in "exec seq 3" "exec seq 200000" "ps -a --json"; do
  code=0
  # shellcheck disable=SC2086 # several arguments
  rv -H loop $words >/dev/full 2>"$work/full" || code=$?
  equal "$words, on a full disk" 125 "$code"
  contains "$words, on a full disk" "can't write the output: No space left on device" "$(<"$work/full")"
done
code=0
rv -H loop exec sh -c 'echo lost; exit 3' >&- || code=$?
equal "without a stdout" 3 "$code"
# A reader that has enough ends it all.
equal "a short reader" y "$(timeout 20 setpriv --reuid 0 bash -c 'true'; rv -H loop exec yes | head -n 1)"

# The settings name the host; -H goes before them; on the host itself there is no ssh.
mkdir "$work/laptop/.rv"
echo 'host: loop' >"$work/laptop/.rv/config.yaml"
exits 0 rv exec id -un
equal "host in the settings" "$(user there)" "$out"
exits 119 rv -H nowhere.invalid exec true
exits 0 rv -H "$(uname -n)" exec id -un
equal "this machine" "$(user laptop)" "$out"
# Another user of this machine is reached over ssh, and is not the caller.
host "$(uname -n)" nobody
exits 0 rv -H "$(user there)@$(uname -n)" exec id -un
equal "another user here" "$(user there)" "$out"
exits 0 rv -H "$(user laptop)@$(uname -n)" exec id -un
equal "the same user here" "$(user laptop)" "$out"
echo "cluster_home: $work/there/elsewhere" >>"$work/laptop/.rv/config.yaml"
exits 0 rv exec true
[ -x "$(echo "$work"/there/elsewhere/bin/rv-*)" ] || fail "cluster_home is not used"
echo "cluster_home: a b" >"$work/laptop/.rv/config.yaml"
exits 2 rv exec true
contains "a home with a blank" "config.yaml:1: cluster_home" "$err"
