# The user's home, as /etc/passwd has it, is empty in this mount namespace. ssh looks there whatever HOME says, and so do shells
# that sshd starts: the start-up files of who runs the tests are none of their business, and some take longer than a test does.
# shellcheck shell=bash

# own_home FOLDER: what is in that home is in FOLDER, too. A checkout or a build that lies in the real home stays where it is; in
# FOLDER it is not to be seen, so that who removes FOLDER does not remove it.
own_home() {
  local home path i needed handles=()
  home=$(realpath "$(getent passwd "$(id -un)" | cut -d: -f6)")
  needed=("$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)")
  [ -z "${RV:-}" ] || needed+=("$(realpath "$(dirname "$RV")/..")")
  for path in "${needed[@]}"; do
    exec {handle}<"$path"
    handles+=("$handle")
  done
  mount -t tmpfs -o mode=700 tmpfs "$home"
  for i in "${!needed[@]}"; do
    handle=${handles[i]} path=${needed[i]}
    if [[ $path/ == "$home"/?* ]] && ! [ "$path" -ef "/proc/self/fd/$handle" ]; then
      mkdir -p "$path"
      mount --no-canonicalize --rbind "/proc/self/fd/$handle" "$path"
    fi
    exec {handle}<&-
  done
  mount --bind "$home" "$1"
}
