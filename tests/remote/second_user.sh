#!/usr/bin/env bash
# What another user of the machine has prepared is not used: rv's home, the environments and caches in scratch, the home on the
# login node, the folder for sockets.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
make_user mallory /bin/bash
mallory=$(user mallory)
host loop "$(user there)"
as_mallory() { setpriv --reuid "$(id -u "$mallory")" --regid "$(id -g "$mallory")" --clear-groups "$@"; }
shared=$work/shared
install -d -m 1777 "$shared"

# rv's home: another user's, open to all, replaceable, a link of another user's; not in a private group's.
as_mallory mkdir -m 755 "$shared/home"
echo 'setup: [touch /tmp/never]' | as_mallory tee "$shared/home/config.yaml" >/dev/null
exits 125 laptop env RV_HOME="$shared/home" "$work/rv" deps list
contains "another user's home" "can't trust the folder $shared/home: it belongs to $mallory (user $(id -u "$mallory"))" "$err"
contains "the way out" "set RV_HOME to another folder" "$err"
laptop mkdir -m 777 "$shared/open"
exits 125 laptop env RV_HOME="$shared/open" "$work/rv" deps list
contains "a home open to all" "everyone can write to it" "$err"
laptop chmod 775 "$shared/open"
exits 0 laptop env RV_HOME="$shared/open" "$work/rv" deps list
chgrp "$mallory" "$shared/open"
exits 125 laptop env RV_HOME="$shared/open" "$work/rv" deps list
contains "a home open to a group" "its group $mallory can write to it" "$err"
exits 0 laptop env RV_HOME="$shared/open" RV_TRUSTED_FOLDERS="$shared/open" "$work/rv" deps list
as_mallory ln -s "$work/laptop" "$shared/link"
exits 125 laptop env RV_HOME="$shared/link" "$work/rv" deps list
contains "a link to the user's own folder" "it belongs to $mallory" "$err"
install -d -m 777 "$work/not_sticky"
exits 125 laptop env RV_HOME="$work/not_sticky/home" "$work/rv" deps list
contains "a folder that can be replaced" "$work/not_sticky above it is not sticky" "$err"

# A made environment under the name that the victim's project will have.
laptop mkdir -p "$work/laptop/project" "$shared/scratch_of_laptop"
echo six | laptop tee "$work/laptop/project/requirements.txt" >/dev/null
deps_in() { # FOLDER SCRATCH WORDS…
  laptop env SCRATCH="$2" HOME="$work/laptop" bash -c 'cd "$1" && exec "$2" "${@:3}"' - "$1" "$work/rv" "${@:3}"
}
exits 0 deps_in "$work/laptop/project" "$shared/scratch" deps show --json
name=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["environment"]["name"])' "$work/out")
as_mallory mkdir -p -m 755 "$shared/scratch/environments/$name/1/env/bin"
as_mallory ln -s /bin/true "$shared/scratch/environments/$name/1/env/bin/python"
as_mallory ln -s 1 "$shared/scratch/environments/$name/current"
echo '{"format": "rv-environment", "prefix": "env"}' | as_mallory tee "$shared/scratch/environments/$name/1/environment.json" >/dev/null
exits 125 deps_in "$work/laptop/project" "$shared/scratch" deps show
contains "another user's environment" "can't trust the folder $shared/scratch/environments: it belongs to $mallory" "$err"
exits 125 deps_in "$work/laptop/project" "$shared/scratch" deps build
# The user's own folder, in which somebody could write when one was made.
install -d -o "$(user laptop)" -m 755 "$shared/scratch2" "$shared/scratch2/environments"
cp -a "$shared/scratch/environments/$name" "$shared/scratch2/environments/"
exits 125 deps_in "$work/laptop/project" "$shared/scratch2" deps show
contains "another user's environment in an own folder" "$shared/scratch2/environments/$name: it belongs to $mallory" "$err"
# A cache that installs would read.
install -d -o "$(user laptop)" -m 755 "$shared/scratch3"
as_mallory mkdir -m 755 "$shared/pip"
ln -s "$shared/pip" "$shared/scratch3/pip"
exits 125 deps_in "$work/laptop/project" "$shared/scratch3" deps build
contains "another user's cache" "$shared/scratch3/pip: it belongs to $mallory" "$err"

# rv's home on the login node: nothing there is started, and nothing is put there.
exits 0 rv -H loop exec true
binary=$(basename "$work"/there/.rv/bin/rv-*)
as_mallory mkdir -p -m 755 "$shared/cluster/bin"
printf '#!/bin/sh\ntouch %s/ran\n' "$shared" | as_mallory tee "$shared/cluster/bin/$binary" >/dev/null
as_mallory chmod 755 "$shared/cluster/bin/$binary"
mkdir -p "$work/laptop/.rv"
printf 'host: loop\ncluster_home: %s\n' "$shared/cluster" >"$work/laptop/.rv/config.yaml"
exits 119 rv exec true
contains "another user's cluster_home" "$shared/cluster/bin/$binary there belongs to another user" "$err"
[ ! -e "$shared/ran" ] || fail "a binary of another user ran"
as_mallory rm "$shared/cluster/bin/$binary"
exits 119 rv exec true
contains "nothing is put into another user's folder" "belongs to another user" "$err"
[ -z "$(ls "$shared/cluster/bin")" ] || fail "rv was put into another user's folder"
as_mallory chmod 1777 "$shared/cluster" "$shared/cluster/bin"
exits 119 rv exec true
printf 'host: loop\n' >"$work/laptop/.rv/config.yaml"
exits 0 rv exec true

# The folder for sockets and logs of connections.
rm -rf "/tmp/rv-$(id -u "$(user laptop)")"
as_mallory mkdir -m 777 "/tmp/rv-$(id -u "$(user laptop)")"
exits 125 rv exec true
contains "another user's socket folder" "it belongs to $mallory" "$err"
