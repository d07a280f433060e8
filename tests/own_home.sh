# Makes the user's home folder of /etc/passwd empty in this mount namespace. ssh and the shells that sshd starts read that
# folder whatever HOME is, and start-up files of the person who runs the tests must not affect them.
# shellcheck shell=bash

# own_home LINK: it becomes a link to that home. A checkout or a build that lies in the real one stays where it is.
own_home() {
  local home path i handle handles=()
  local needed=("$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)" "$(realpath "$(dirname "$RV")/..")")
  home=$(realpath "$(getent passwd "$(id -un)" | cut -d: -f6)")
  for path in "${needed[@]}"; do
    exec {handle}<"$path"
    handles+=("$handle")
  done
  mount -t tmpfs -o mode=700 tmpfs "$home"
  for i in "${!needed[@]}"; do
    handle=${handles[i]} path=${needed[i]}
    # The one may lie in the other.
    if [[ $path == "$home"/* ]] && ! [ "$path" -ef "/proc/self/fd/$handle" ]; then
      mkdir -p "$path"
      mount --no-canonicalize --rbind "/proc/self/fd/$handle" "$path"
    fi
    exec {handle}<&-
  done
  ln -s "$home" "$1"
}
