#!/usr/bin/env bash
# Starts the daemons of one sandbox, in order, and ends when the cluster is ready. It runs below supervisor.py, which becomes
# their parent and ends them. Usage: boot.sh DIR SPEED [DAEMON]; RV_SANDBOX_PORT is the first free port.
set -euo pipefail
umask 022

dir=$1 speed=$2
here=$(dirname "$(readlink -f "$0")")
python=/usr/bin/python3
export SLURM_CONF=$dir/etc/slurm.conf

fail() {
  echo "sandbox: $*"
  exit 1
}

started=()         # pids of the daemons
declare -A command # how each was started, by pid, for those that may be started once more

# start LOG COMMAND…
start() {
  local log=$1
  shift
  "$@" >>"$dir/log/$log.out" 2>&1 &
  started+=($!)
  [[ $log != slurmd.* ]] || command[$!]="$log $*"
}

# A slurmd that ended at its start is started once more: on a busy machine with a fast clock this happens about once in some
# hundred starts, without a message in its log.
start_once_more() {
  local pid=$1 words
  [ -n "${command[$pid]:-}" ] || return 1
  read -ra words <<<"${command[$pid]}"
  echo "  ${words[0]} once more"
  local left=() other
  for other in "${started[@]}"; do [ "$other" = "$pid" ] || left+=("$other"); done
  started=("${left[@]}")
  start "${words[@]}"
  unset "command[${started[-1]}]"
}

# wait_for SECONDS WHAT COMMAND…: waits until COMMAND succeeds, or a daemon ends.
wait_for() {
  local until=$((SECONDS + $1)) what=$2 pid
  shift 2
  until "$@" 2>/dev/null; do
    for pid in "${started[@]}"; do
      kill -0 "$pid" 2>/dev/null || start_once_more "$pid" || fail "a daemon ended at its start, before $what; see $dir/log"
    done
    ((SECONDS < until)) || fail "no $what in time; see $dir/log"
    sleep 0.05
  done
}

listening() { (: <"/dev/tcp/127.0.0.1/$1"); }

# Runs a command on the sandbox's clock, real or fast.
clocked=()

# start_node NODE: its slurmd, on the sandbox's clock or its own.
start_node() {
  local own=()
  [[ ! -e $dir/etc/clock.$1 ]] || mapfile -t own <"$dir/etc/clock.$1"
  [[ ${#own[@]} -eq 0 ]] || own=(env "${own[@]}")
  mkdir -p "$dir/spool/$1"
  # -b: the node has booted since it was powered up, which the controller waits for.
  local booted=()
  ! grep -qxF "$1" "$dir/etc/cloud" || booted=(-b)
  start "slurmd.$1" "${clocked[@]}" "${own[@]}" slurmd -D ${booted[@]+"${booted[@]}"} -N "$1"
}

# Sets jobs to the clock of the node that they run on.
set_node_clocks() {
  local node seconds
  [[ -s $dir/etc/clocks ]] || return 0
  while read -r node seconds; do
    "$python" "$here/clock.py" shift "$(<"$dir/clock-name")" "$seconds" >"$dir/etc/clock.$node"
  done <"$dir/etc/clocks"
  {
    echo '#!/bin/sh'
    # shellcheck disable=SC2016  # the prolog's variable
    echo 'sed "s/^/export /" '"$dir"'/etc/clock."$SLURMD_NODENAME" 2>/dev/null'
    echo 'exit 0'
  } >"$dir/etc/task-prolog"
  chmod 0755 "$dir/etc/task-prolog"
}

start_database() {
  # Its own tmpdir: a starting mariadbd removes all temporary tables that it finds, including those of others.
  # --force: also works on a machine that cannot look up its own name.
  mariadb-install-db --no-defaults --user=root --datadir="$dir/db" --auth-root-authentication-method=normal \
    --force --skip-test-db --tmpdir="$dir/tmp" --innodb-log-file-size=8M --loose-innodb-buffer-pool-size-max=32M >"$dir/log/mariadb-install.out" 2>&1 ||
    fail "mariadb-install-db failed; see $dir/log"
  # The only access is a socket in the private folder, so grant tables are not needed.
  # The data ends with the sandbox, so it is not synced to the disk. mariadbd runs on real time. Without io_uring: some kernels
  # lose completions, and its memory limit is shared by all sandboxes.
  start mariadbd mariadbd --no-defaults --user=root --datadir="$dir/db" --socket="$dir/run/db.sock" \
    --tmpdir="$dir/tmp" --pid-file="$dir/run/db.pid" --skip-networking --skip-grant-tables --performance-schema=off \
    --innodb-buffer-pool-size=32M --loose-innodb-buffer-pool-size-max=32M --innodb-log-file-size=8M --innodb-flush-log-at-trx-commit=0 \
    --innodb-flush-method=nosync --innodb-use-native-aio=OFF --innodb-doublewrite=0 --innodb-lock-wait-timeout=900 \
    --key-buffer-size=1M --aria-pagecache-buffer-size=1M
  wait_for 30 database test -S "$dir/run/db.sock"
}

start_munge() {
  head -c 128 /dev/urandom >"$dir/key/munge.key"
  chmod 0600 "$dir/key/munge.key"
  # --force: to run as root, and below folders that others can write to, such as /tmp.
  start munged "${clocked[@]}" munged --foreground --force --key-file="$dir/key/munge.key" \
    --socket="$dir/run/munge.sock" --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" \
    --seed-file="$dir/run/munge.seed"
  wait_for 10 munge test -S "$dir/run/munge.sock"
}

start_accounting() {
  start slurmdbd env MYSQL_UNIX_PORT="$dir/run/db.sock" "${clocked[@]}" slurmdbd -D
  wait_for 20 accounting listening $((RV_SANDBOX_PORT + 1))
  sacctmgr_reads accounting
}

# A shape may leave accounting out: AccountingStorageType: accounting_storage/none.
has_accounting() { grep -q '^AccountingStorageType=accounting_storage/slurmdbd' "$dir/etc/slurm.conf"; }

sacctmgr_reads() {
  { has_accounting && [[ -s $dir/etc/$1 ]]; } || return 0
  "${clocked[@]}" sacctmgr -i <"$dir/etc/$1" >"$dir/log/$1.log" 2>&1 || fail "sacctmgr failed; see $dir/log/$1.log"
}

start_slurm() {
  local node
  start slurmctld "${clocked[@]}" slurmctld -D
  wait_for 20 controller listening "$RV_SANDBOX_PORT"
  while read -r node; do
    grep -qxF "$node" "$dir/etc/cloud" || start_node "$node"
  done <"$dir/etc/nodes"
  # Limits name GPUs, and in some releases the controller listens before it has sent the list of GPUs to the database.
  wait_for $((60 + $(wc -l <"$dir/etc/nodes"))) "idle nodes" all_idle
  sacctmgr_reads limits
}

# Starts one daemon again: slurmctld, slurmdbd, or slurmd.NODE.
start_again() {
  case $1 in
    slurmctld)
      # If it was killed before it first saved the associations' usage, it starts again only with this option (25.05 and later).
      local anyway=()
      [[ -e $dir/state/assoc_usage ]] || anyway=(-i)
      start slurmctld "${clocked[@]}" slurmctld -D ${anyway[@]+"${anyway[@]}"}
      ;;
    slurmdbd) start slurmdbd env MYSQL_UNIX_PORT="$dir/run/db.sock" "${clocked[@]}" slurmdbd -D ;;
    slurmd.*) start_node "${1#slurmd.}" ;;
  esac
}

# Cloud nodes are listed as idle~ (powered down), or not at all.
all_idle() { [[ $("${clocked[@]}" sinfo -h -N -o %t | tr -d '~' | sort -u) == idle ]]; }

if [[ -n ${3:-} ]]; then
  if [[ $speed != 1 ]]; then
    mapfile -t settings <"$dir/clock"
    clocked=(env "${settings[@]}")
  fi
  start_again "$3"
  exit
fi

if [[ $speed != 1 ]]; then
  echo "  clock x$speed"
  "$python" "$here/clock.py" start "$(cat "$dir/clock-name")" "$speed" >"$dir/clock"
  mapfile -t settings <"$dir/clock"
  clocked=(env "${settings[@]}")
  {
    echo '#!/bin/sh'
    sed "s/.*/echo 'export &'/" "$dir/clock"
  } >"$dir/etc/task-prolog"
  chmod 0755 "$dir/etc/task-prolog"
fi

"$python" "$here/shape.py" write "$dir/shape.yaml" "$dir" "$RV_SANDBOX_PORT" "$speed"
# Releases before 21.08 lack this plugin, and fail to start if it is named.
[[ $(slurmctld -V) != "slurm 20."* ]] || sed -i '/^CgroupPlugin=/d' "$dir/etc/cgroup.conf"
set_node_clocks
echo "  munge"
start_munge
if has_accounting; then
  echo "  database, accounting"
  start_database
  start_accounting
fi
echo "  controller, $(wc -l <"$dir/etc/nodes") nodes"
start_slurm
touch "$dir/ready"
