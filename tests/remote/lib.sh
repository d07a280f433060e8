# Sourced by every test over ssh: starts a real sshd on loopback with its own configuration, keys and port, and makes a client
# user with a home and one user per login shell. Needs root and RV, the binary. Does not change /etc/ssh, and removes the users
# when the test ends.
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the rv binary to test}"
[ "$(id -u)" -eq 0 ] || { echo "this test makes users and starts sshd: run it as root" >&2 && exit 1; }

# In its own mount namespace: what a test mounts is gone with it. There, /dev/null is as it should be; on some
# machines only root can write to it, and ssh does not start without.
if [ -z "${RV_OWN_MOUNTS:-}" ]; then
  RV_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0" "$@"
fi
null=$(mktemp -u /dev/shm/null-XXXXXX)
mknod -m 666 "$null" c 1 3
mount --bind "$null" /dev/null
rm "$null"

# Short, because sockets lie below it, and open to the users of this test.
work=$(mktemp -d /tmp/rvt-XXXXXX)
chmod 755 "$work"
install -m 755 "$RV" "$work/rv"
mkdir "$work/sshd"
# The machine's own ssh configuration must not affect the tests.
mkdir "$work/no_ssh_config"
: >"$work/ssh_config"
[ ! -d /etc/ssh/ssh_config.d ] || mount --bind "$work/no_ssh_config" /etc/ssh/ssh_config.d
[ ! -e /etc/ssh/ssh_config ] || mount --bind "$work/ssh_config" /etc/ssh/ssh_config
# shellcheck source=tests/own_home.sh
source "$(dirname "${BASH_SOURCE[0]}")/../own_home.sh"
own_home "$work/root"
users=()

clean_up() {
  local code=$? user
  code=$(end_code "$code")
  [ -s "$work/sshd/pid" ] && kill "$(<"$work/sshd/pid")" 2>/dev/null
  if declare -f end_test >/dev/null; then end_test; fi
  for user in "${users[@]}"; do
    pkill -KILL -U "$(id -u "$user")" || true # everything of a user that this test made
    rm -rf "/tmp/rv-$(id -u "$user")"
    changing_users userdel "$user" 2>/dev/null || true
  done
  drop_work "$code"
  exit "$code"
}
trap clean_up EXIT
goes_on=yes

# /etc/passwd is locked for a moment when another test makes its users.
changing_users() {
  local attempt
  for attempt in $(seq 50); do
    "$@" && return
    sleep 0.1
  done
  echo "$* fails (${attempt} attempts)" >&2
  return 1
}

# make_user NAME SHELL: prints the user's name, a new one for this test.
make_user() {
  local user="rv$1${work##*-}"
  user=$(tr '[:upper:]' '[:lower:]' <<<"$user")
  # No skeleton: a start-up file is there only if a test wrote it.
  changing_users useradd --create-home --skel /nowhere --home-dir "$work/$1" --shell "$2" "$user" 2>/dev/null
  # A user without a password is locked out by sshd unless the field holds something.
  echo "$user:let-me-in" | chpasswd
  users+=("$user")
}
user() { tr '[:upper:]' '[:lower:]' <<<"rv$1${work##*-}"; }

# shellcheck source=tests/assertions.sh
source "$(dirname "${BASH_SOURCE[0]}")/../assertions.sh"

# laptop COMMAND…: as the client user, with a home, a time zone and a PATH of its own.
laptop() {
  local id
  id=$(id -u "$(user laptop)")
  (cd "$work/laptop" && env -i HOME="$work/laptop" USER="$(user laptop)" PATH="$work/tools" TZ=Asia/Tokyo LC_ALL=C.UTF-8 \
    NO_COLOR=1 TERM=xterm ${SSH_AUTH_SOCK:+SSH_AUTH_SOCK="$SSH_AUTH_SOCK"} \
    setpriv --reuid "$id" --regid "$(id -g "$(user laptop)")" --clear-groups "$@")
}
rv() { laptop "$work/rv" "$@"; }
# rv_process: of the client user. A child of it has its name too, until it becomes ssh or a session.
rv_process() {
  local pid parent
  for pid in $(pgrep -u "$(user laptop)" -x rv); do
    parent=$(ps -o ppid= -p "$pid") || continue
    [ "$(ps -o comm= -p "${parent// /}")" = rv ] || echo "$pid"
  done
}

# start_sshd LINE…: the lines are added to sshd_config.
start_sshd() {
  port=$(free_port)
  [ -e "$work/sshd/key" ] || ssh-keygen -q -t ed25519 -N '' -f "$work/sshd/key"
  mkdir -p /run/sshd
  cat >"$work/sshd/config" <<EOF
Port $port
ListenAddress 127.0.0.1
HostKey $work/sshd/key
PidFile $work/sshd/pid
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
StrictModes no
AuthorizedKeysFile $work/authorized_keys
PrintMotd no
EOF
  printf '%s\n' "$@" >>"$work/sshd/config"
  /usr/sbin/sshd -f "$work/sshd/config" -E "$work/sshd/log"
  wait_for 30 test -s "$work/sshd/pid" || fail "sshd does not start: $(<"$work/sshd/log")"
}
stop_sshd() {
  local pid
  pid=$(<"$work/sshd/pid")
  kill "$pid"
  wait_for 30 gone "$pid"
}
gone() { ! kill -0 "$1" 2>/dev/null; }

# host NAME USER: an entry in the laptop's ssh_config.
host() {
  cat >>"$work/laptop/.ssh/config" <<EOF
Host $1
  HostName 127.0.0.1
  Port $port
  User $2
EOF
}

make_laptop() {
  make_user laptop /bin/bash
  # Programs of this machine without Slurm's.
  mkdir "$work/tools"
  ln -s /usr/bin/* "$work/tools/"
  rm -f "$work/tools"/{sacct,sacctmgr,salloc,sattach,sbatch,sbcast,scancel,scontrol,sdiag,sinfo,sprio,squeue,srun,sshare,sstat}
  mkdir "$work/laptop/.ssh"
  ssh-keygen -q -t ed25519 -N '' -f "$work/laptop/.ssh/id_ed25519"
  cp "$work/laptop/.ssh/id_ed25519.pub" "$work/authorized_keys"
  echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/sshd/key.pub")" >"$work/laptop/.ssh/known_hosts"
  : >"$work/laptop/.ssh/config"
  chown -R "$(user laptop)" "$work/laptop"
  chmod 700 "$work/laptop/.ssh"
}

# slurm_login: the laptop, and behind "loop" this machine with the sandbox's Slurm, which the laptop has not. Below
# "slurm" a command runs as on the login node.
slurm_login() {
  local root setenv
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  environment=$("$root/examples/sandbox/sandbox" env --dir "${RV_SANDBOX_DIR:?the folder of a running sandbox}")
  setenv=$(slurm env | grep -E '^(PATH|SLURM_CONF|LD_LIBRARY_PATH)=' | tr '\n' ' ')
  # The nodes are outside of this mount namespace: a shell there would read the start-up files of the person who runs the tests.
  # They can take a minute: pyenv waits for a lock that another shell has, or had when it was killed.
  mkdir "$work/node_home"
  start_sshd "UseDNS no" "SetEnv $setenv HOME=$work/node_home RV_HOME=$work/home RV_SITE=/dev/null TZ=America/New_York USER=root"
  make_laptop
  host loop root
  # shellcheck disable=SC2317 # clean_up calls it
  end_test() {
    slurm scancel --me --quiet || true
    wait_for 20 no_jobs || true
  }
}
# in_session: an rv answers a laptop on the login node. One in the background has the same arguments and outlives its session: it
# submits a run, or reads finished jobs.
in_session() {
  local pid
  for pid in $(with_environment "RV_HOME=$work/home" -f "/rv-[^ ]* --hop "); do
    [[ "$(readlink "/proc/$pid/fd/1")" == /dev/null* ]] || return 0
  done
  return 1
}
no_session() { ! in_session; }
no_jobs() { [ -z "$(slurm squeue -h --me -t PENDING,RUNNING,SUSPENDED,CONFIGURING,COMPLETING)" ]; }
slurm() { (eval "$environment" && "$@"); }
