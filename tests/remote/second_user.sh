#!/usr/bin/env bash
# rv does not use what another user of the machine has prepared: its home, environments and caches in scratch, the home on the
# login node, or the folder for sockets.
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
deps_in() { # FOLDER SCRATCH ARGUMENTS…
  # shellcheck disable=SC2016 # expands in that shell
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
# The user's own folder, which another user could write to when an environment was made.
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

# A folder above the user's own that another user makes into a project: rv does not use it, and reports that.
install -d -m 1777 "$work/above"
install -d -o "$(user laptop)" "$work/above/own"
as_mallory touch "$work/above/.rvignore"
printf 'environment:\n  setup: [touch %s/planted_ran]\n' "$shared" | as_mallory tee "$work/above/.rv.yaml" >/dev/null
echo evil | as_mallory tee "$work/above/requirements.txt" >/dev/null
as_mallory mkdir -p "$work/above/.venv/bin" "$work/above/.git"
as_mallory ln -s /bin/true "$work/above/.venv/bin/python"
exits 0 deps_in "$work/above/own" "$shared/scratch3" deps show
contains "nothing of it counts" "this folder has no dependency file that rv can read" "$err"
contains "and rv says so" "$work/above is not used as the project ($work/above: everyone can write to it)" "$err"
contains "the way out" "RV_TRUSTED_FOLDERS=$work/above" "$err"
exits 2 deps_in "$work/above/own" "$shared/scratch3" -H loop sync push --dry-run
exits 2 deps_in "$work/above" "$shared/scratch3" deps show
contains "in the folder itself" "the dependencies of $work/above are not used: $work/above: everyone can write to it" "$err"
exits 0 deps_in "$work/above/own" "$shared/scratch3" deps list
# Files of another user in the user's own folder, and a link of another user's.
own=$work/above/own
for marker in .rv.yaml requirements.txt uv.lock pyproject.toml environment.yml; do
  install -o "$mallory" -m 644 "$work/above/$([ "$marker" = .rv.yaml ] && echo .rv.yaml || echo requirements.txt)" "$own/$marker"
  exits 2 deps_in "$own" "$shared/scratch3" deps show
  contains "another user's $marker" "$own/$marker: it belongs to $mallory" "$err"
  rm "$own/$marker"
done
cp -a "$work/above/.venv" "$own/"
exits 2 deps_in "$own" "$shared/scratch3" deps show
contains "another user's .venv" "$own/.venv: it belongs to $mallory" "$err"
chown "$(user laptop)" "$own/.venv"
exits 2 deps_in "$own" "$shared/scratch3" deps show
contains "another user's .venv/bin" "$own/.venv/bin: it belongs to $mallory" "$err"
rm -r "$own/.venv"
as_mallory mkdir -m 755 "$work/above/git"
cp -a "$work/above/git" "$own/.git"
exits 2 deps_in "$own" "$shared/scratch3" -H loop sync push --dry-run
contains "another user's .git" "$own/.git: it belongs to $mallory" "$err"
rm -r "$own/.git"
# A lab's shared folder: refused with its group's name, and accepted if the user says so.
echo six >"$own/requirements.txt"
chown "$(user laptop):$mallory" "$own" "$own/requirements.txt"
chmod 775 "$own"
exits 2 deps_in "$own" "$shared/scratch3" deps show
contains "a folder of a group" "$own: its group $mallory can write to it" "$err"
exits 0 laptop env RV_TRUSTED_FOLDERS="$work/above" SCRATCH="$shared/scratch3" bash -c "cd $own && exec $work/rv deps show"
chgrp "$(user laptop)" "$own" "$own/requirements.txt"
exits 0 deps_in "$own" "$shared/scratch3" deps show

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
# The user's own, in which others could have put another program; a folder of the user's private group counts as the user's.
for place in .rv .rv/bin ".rv/bin/$binary"; do
  there=$work/there/$place mode=$(stat -c %a "$work/there/$place")
  chmod o+w "$there"
  exits 119 rv exec true
  contains "everyone can write to $place" "others can write to $there there" "$err"
  chmod "$mode" "$there"
  chmod g+w "$there"
  exits 0 rv exec true
  chgrp "$mallory" "$there"
  exits 119 rv exec true
  contains "a group can write to $place" "others can write to $there there" "$err"
  chgrp "$(user there)" "$there"
  chmod "$mode" "$there"
done
# Nor is rv put there.
mv "$work/there/.rv/bin" "$work/there/bin"
install -d -o "$(user there)" -m 777 "$work/there/.rv/bin"
exits 119 rv exec true
contains "nothing is put where others can write" "others can write to $work/there/.rv/bin there" "$err"
[ -z "$(ls "$work/there/.rv/bin")" ] || fail "rv was put where others can write"
rmdir "$work/there/.rv/bin"
# A program of the same name that another user planted in a shared folder on the PATH, or a link to one, is not started.
as_mallory mkdir -m 755 "$shared/planted"
printf '#!/bin/sh\ntouch %s/ran\n' "$shared" | as_mallory tee "$shared/planted/$binary" "$shared/planted/rv" >/dev/null
as_mallory chmod 755 "$shared/planted/$binary" "$shared/planted/rv"
install -d -o "$(user there)" -m 700 "$work/there/.rv/bin"
ln -s "$shared/planted/$binary" "$work/there/.rv/bin/$binary"
exits 119 rv exec true
contains "a link to another user's program" "$work/there/.rv/bin/$binary there belongs to another user" "$err"
rm -r "$work/there/.rv/bin"
mv "$work/there/bin" "$work/there/.rv/bin"
echo "PATH=$shared/planted:\$PATH" >"$work/there/.bashrc"
exits 0 rv exec true
rm "$work/there/.bashrc"
[ ! -e "$shared/ran" ] || fail "a planted program ran"

# Ctrl-C looks for the command among the user's own processes: one of another user with hostile words is none of them, and
# nothing that is nested without end is decoded.
hostile=$(python3 -c 'import base64; print(base64.urlsafe_b64encode(b"\x91" * 90000).decode().rstrip("="))')
# shellcheck disable=SC2016 # for the inner shell
exec {hostile_pid}< <(as_mallory bash -c 'echo $$; exec -a rv python3 -c "import time; time.sleep(120)" --hop "$1"' - "$hostile")
read -r other <&"$hostile_pid"
as_there() { setpriv --reuid "$(id -u "$(user there)")" --regid "$(id -g "$(user there)")" --clear-groups "$@"; }
# shellcheck disable=SC2016 # for the inner shell
as_there bash -c 'exec -a rv python3 -c "import time; time.sleep(120)" --hop "$1"' - "$hostile" &
in_background rv -H loop exec sh -c 'echo begun; exec sleep 60'
command=$!
wait_for 30 grep -q begun "$work/out" || fail "the command does not begin"
began=$SECONDS
pkill -INT -P "$command" 2>/dev/null || kill -INT "$command"
code=0
wait "$command" || code=$?
[ $((SECONDS - began)) -lt 30 ] || fail "Ctrl-C did not reach the command (code $code): $(<"$work/err")"
lacks "no crash on the login node" "139" "$code"
kill -0 "$other" || fail "the process of another user was ended"
kill "$other"

# The folder for sockets and logs of connections.
rm -rf "/tmp/rv-$(id -u "$(user laptop)")"
as_mallory mkdir -m 777 "/tmp/rv-$(id -u "$(user laptop)")"
exits 125 rv exec true
contains "another user's socket folder" "it belongs to $mallory" "$err"
