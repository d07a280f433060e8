#!/usr/bin/env bash
# Starts the daemons of one sandbox, in order, and leaves when the cluster is ready. Runs below keep.py, which becomes
# their parent and ends them. Usage: boot.sh DIR SPEED; RV_SANDBOX_PORT is the first free port.
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

# wait_for PID SECONDS WHAT COMMAND…: until COMMAND succeeds; PID 0 is 'no process to watch'.
wait_for() {
  local pid=$1 until=$((SECONDS + $2)) what=$3
  shift 3
  until "$@" 2>/dev/null; do
    [[ $pid == 0 ]] || kill -0 "$pid" 2>/dev/null || fail "$what ended at its start; see $dir/log"
    ((SECONDS < until)) || fail "$what is not ready in time; see $dir/log"
    sleep 0.05
  done
}

listening() { (: <"/dev/tcp/127.0.0.1/$1"); }

# Puts a command on the sandbox's clock: the real one, or the fast one.
clocked=()

start_database() {
  mariadb-install-db --no-defaults --user=root --datadir="$dir/db" --auth-root-authentication-method=normal \
    --skip-test-db --innodb-log-file-size=8M >"$dir/log/mariadb-install.log" 2>&1 || fail "mariadb-install-db failed; see $dir/log"
  # A socket in the private folder is the only way in, so there is nobody for grant tables to tell apart.
  # Nothing outlives the sandbox, so nothing need reach the disk. It stays on real time.
  mariadbd --no-defaults --user=root --datadir="$dir/db" --socket="$dir/run/db.sock" --pid-file="$dir/run/db.pid" \
    --skip-networking --skip-grant-tables --performance-schema=off --innodb-buffer-pool-size=32M \
    --innodb-log-file-size=8M --innodb-flush-log-at-trx-commit=0 --innodb-flush-method=nosync \
    --innodb-doublewrite=0 --innodb-lock-wait-timeout=900 --key-buffer-size=1M --aria-pagecache-buffer-size=1M \
    >"$dir/log/mariadb.log" 2>&1 &
  database=$!
}

start_munge() {
  head -c 128 /dev/urandom >"$dir/key/munge.key"
  chmod 0600 "$dir/key/munge.key"
  # --force: as root, and below folders that others may write, /tmp for one.
  "${clocked[@]}" munged --foreground --force --key-file="$dir/key/munge.key" --socket="$dir/run/munge.sock" \
    --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" --seed-file="$dir/run/munge.seed" \
    >"$dir/log/munged.out" 2>&1 &
  munge=$!
}

start_accounting() {
  MYSQL_UNIX_PORT=$dir/run/db.sock "${clocked[@]}" slurmdbd -D >"$dir/log/slurmdbd.out" 2>&1 &
  wait_for $! 20 slurmdbd listening $((RV_SANDBOX_PORT + 1))
  sacctmgr_reads accounting
}

sacctmgr_reads() {
  [[ -s $dir/etc/$1 ]] || return 0
  "${clocked[@]}" sacctmgr -i <"$dir/etc/$1" >"$dir/log/$1.log" 2>&1 || fail "sacctmgr failed; see $dir/log/$1.log"
}

start_slurm() {
  "${clocked[@]}" slurmctld -D >"$dir/log/slurmctld.out" 2>&1 &
  local controller=$! node
  wait_for "$controller" 20 slurmctld listening "$RV_SANDBOX_PORT"
  while read -r node; do
    mkdir -p "$dir/spool/$node"
    "${clocked[@]}" slurmd -D -N "$node" >"$dir/log/slurmd.$node.out" 2>&1 &
  done <"$dir/etc/nodes"
  sacctmgr_reads limits
  wait_for "$controller" 60 "a node" all_idle
}

all_idle() { [[ $("${clocked[@]}" sinfo -h -N -o %t | sort -u) == idle ]]; }

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
echo "  munge, database"
start_munge
start_database
wait_for "$munge" 10 munged test -S "$dir/run/munge.sock"
wait_for "$database" 30 mariadbd test -S "$dir/run/db.sock"
echo "  accounting"
start_accounting
echo "  controller, $(wc -l <"$dir/etc/nodes") nodes"
start_slurm
touch "$dir/ready"
