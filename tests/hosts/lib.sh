# Sourced by every test of rv over ssh to bare hosts: makes hosts h1, h2, … in network and name namespaces of their own, each
# with an sshd and an address on one bridge, and a user "operator", only for this test, who can log in to them. Needs root and
# RV, the binary (the workers are in ../workers of its folder).
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the rv binary to test}"
[ "$(id -u)" -eq 0 ] || { echo "this test makes network namespaces and starts sshd: run it as root" >&2 && exit 1; }

# In mount, network, process and IPC namespaces of its own, with shared memory of its own: bridge, addresses and whatever a
# host's side might leave behind are gone with them, and names can't meet those of another test.
if [ -z "${RV_OWN_NAMESPACES:-}" ]; then
  RV_OWN_NAMESPACES=1 exec unshare --mount --propagation private --net --ipc --pid --fork --mount-proc bash "$0" "$@"
fi
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm
mkdir -p /run/sshd /run/netns
null=$(mktemp -u /dev/shm/null-XXXXXX)
mknod -m 666 "$null" c 1 3
# It stays until the end: what is removed can't be mounted again, which containers do.
mount --bind "$null" /dev/null

work=$(mktemp -d /tmp/rvh-XXXXXX)
chmod 755 "$work"
mkdir "$work/tmp" "$work/no_ssh_config" "$work/mine"
# What the hosts' sides make lies in a folder of this test's.
chmod 1777 "$work/tmp"
: >"$work/ssh_config"
[ ! -d /etc/ssh/ssh_config.d ] || mount --bind "$work/no_ssh_config" /etc/ssh/ssh_config.d
[ ! -e /etc/ssh/ssh_config ] || mount --bind "$work/ssh_config" /etc/ssh/ssh_config
# shellcheck source=tests/own_home.sh
source "$(dirname "${BASH_SOURCE[0]}")/../own_home.sh"
own_home "$work/root"
# Names of hosts, as a site's DNS would have them.
cp /etc/hosts "$work/hosts"
mount --bind "$work/hosts" /etc/hosts

# shellcheck source=tests/clean_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../clean_environment.sh"
clean_environment
export NO_COLOR=1
# Everything else in the process namespace ends with this shell.
trap 'code=$(end_code "$?"); rm -f "$null"; drop_work "$code"; exit "$code"' EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$(dirname "${BASH_SOURCE[0]}")/../assertions.sh"
cd "$work/mine"

# make_hosts COUNT: h1, h2, … at 10.77.0.11, .12, …; this side is 10.77.0.1. The host $hidden sees nothing in
# $work/workers.
hidden=''
make_hosts() {
  local i
  mkdir -p "$work/root/.ssh"
  ssh-keygen -q -t ed25519 -N '' -f "$work/root/.ssh/id_ed25519"
  cp "$work/root/.ssh/id_ed25519.pub" "$work/authorized_keys"
  ssh-keygen -q -t ed25519 -N '' -f "$work/host_key"
  chown -R root "$work/root"
  chmod 700 "$work/root" "$work/root/.ssh"
  ip link set lo up
  ip link add rvbr type bridge
  ip addr add 10.77.0.1/24 dev rvbr
  ip link set rvbr up
  for ((i = 1; i <= $1; i++)); do make_host "h$i" "10.77.0.1$i"; done
}

# make_host NAME ADDRESS [NAME=VALUE]: the variable is every session's there.
make_host() {
  echo "$2 $1" >>"$work/hosts"
  echo "$1,$2 $(cut -d' ' -f1,2 "$work/host_key.pub")" >>"$work/root/.ssh/known_hosts"
  ip netns add "$1"
  ip link add "v$1" type veth peer name eth0 netns "$1"
  ip link set "v$1" master rvbr up
  ip -n "$1" addr add "$2/24" dev eth0
  ip -n "$1" link set eth0 up
  ip -n "$1" link set lo up
  start_sshd "$@"
}

# start_sshd NAME ADDRESS [NAME=VALUE]
start_sshd() {
  cat >"$work/sshd-$1" <<EOF
ListenAddress $2
HostKey $work/host_key
PidFile $work/sshd-$1.pid
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
StrictModes no
AuthorizedKeysFile $work/authorized_keys
PrintMotd no
SetEnv TMPDIR=$work/tmp ${3:-}
EOF
  rm -f "$work/sshd-$1.pid"
  # shellcheck disable=SC2016 # for the inner shell
  ip netns exec "$1" unshare --uts sh -c '
    hostname "$1"
    [ "$1" != "$3" ] || mount -t tmpfs tmpfs "${2%/*}/workers"
    exec /usr/sbin/sshd -f "$2" -E "$2.log"' - "$1" "$work/sshd-$1" "$hidden"
  wait_for 30 test -s "$work/sshd-$1.pid" || fail "sshd of $1 does not start: $(<"$work/sshd-$1.log")"
}

# kill_sshd NAME: with all its sessions, as a host that loses its sshd.
kill_sshd() {
  local pid
  for pid in $(ip netns pids "$1"); do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != sshd ] || kill -KILL "$pid"
  done
}

# processes_of NAME: what runs on a host besides sshd.
processes_of() {
  local pid
  for pid in $(ip netns pids "$1"); do
    case $(cat "/proc/$pid/comm" 2>/dev/null || true) in
      sshd | '') ;;
      *) echo "$pid" ;;
    esac
  done
}
is_clean() { [ -z "$(processes_of "$1")" ] && [ -z "$(find "$work/tmp" -mindepth 1 -print -quit)" ]; }

# left_clean NAME…: nothing runs and nothing lies there any more, at once or within seconds.
left_clean() {
  local host
  for host in "$@"; do
    wait_for 15 is_clean "$host" ||
      fail "left on $host: $(processes_of "$host" | xargs -r ps -o pid,args -p) $(find "$work/tmp" -mindepth 1)"
  done
}

# pids_of HOST PROGRAM
pids_of() {
  local pid
  for pid in $(ip netns pids "$1"); do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$2" ] || echo "$pid"
  done
}
runs_on() { [ -n "$(pids_of "$1" "$2")" ]; }
ended() { ! kill -0 "$1" 2>/dev/null; }

# begin PROGRAM ARGUMENTS…: rv accept on the three hosts in the background, until the program runs on all of them.
begin() {
  local program=$1 host
  shift
  in_background "$RV" accept --hosts h1:1,h2:1,h3:1 --device cpu "$@"
  rv=$!
  for host in h1 h2 h3; do
    wait_for 30 runs_on "$host" "$program" || fail "$program does not begin on $host"
  done
}
# ends CODE SECONDS: how it comes out; then all hosts must be clean.
ends() {
  local code=0
  wait_for "$2" ended "$rv" || fail "rv goes on after $2 s"
  { wait "$rv"; } 2>/dev/null || code=$?
  # shellcheck disable=SC2034 # for the tests
  out=$(<"$work/out") err=$(<"$work/err")
  equal "the exit code" "$1" "$code"
  left_clean h1 h2 h3
}
# Long enough on any machine to be interrupted while it runs.
# shellcheck disable=SC2034 # for the tests
long=(--full --suite compute)
