# Sourced by the scripts beside this file: starts Slurm on one GPU host, as root and without a network, with a controller, a
# node that has the host's GPUs, and munge. A script first sets `here`, the folder that gather.sh has made, and `work`, a folder
# of its own; the rest of the script runs in $work/project. To try a script on a host without a GPU, set DEVICE=cpu: Slurm then
# counts one GPU, which no process uses.
# shellcheck shell=bash
: "${here:?}" "${work:?}"
name=$(basename "$0")
[ "$UID" -eq 0 ] || { echo "$name: needs root" >&2 && exit 2; }
mkdir -p "$work"
work=$(realpath "$work")
chmod 0711 "$work"
# shellcheck source=tests/assertions.sh
source "$here/assertions.sh"
if [ "${DEVICE:=gpu}" = cpu ]; then
  gpus=1 type=none devices=/dev/null
else
  mapfile -t names < <(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null)
  gpus=${#names[@]}
  [ "$gpus" -gt 0 ] || { echo "$name: nvidia-smi shows no GPU" >&2 && exit 77; }
  # "NVIDIA H100 80GB HBM3" is h100, "Tesla V100-SXM2-16GB" v100.
  type=$(sed -E 's/NVIDIA|Tesla|GeForce|GRID//g; s/^ +//; s/[ -].*//' <<<"${names[0]}" | tr '[:upper:]' '[:lower:]')
  devices=/dev/nvidia0
  [ "$gpus" -eq 1 ] || devices="/dev/nvidia[0-$((gpus - 1))]"
fi
export RV_HOME=$work/home RV_SITE=$work/site.yaml NO_COLOR=1
began=$SECONDS
report() { printf '%4d s  %s\n' $((SECONDS - began)) "$*"; }
shown() { sed 's/^/        /' "$1"; }

# Slurm listens only where the machine has an address besides 127.0.0.1: one without a network gets one of its own.
[ -n "$(hostname -I | tr -d ' ')" ] || python3 - <<'PY'
import fcntl, socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
    for call, value in ((0x8916, "10.254.254.1"), (0x891C, "255.255.255.255")):  # SIOCSIFADDR, SIOCSIFNETMASK
        fcntl.ioctl(any_socket, call, struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton(value)))
PY

tar xzf "$here/slurm.tar.gz" -C /
slurm=$(tar tzf "$here/slurm.tar.gz" | sed -n 's|^\(opt/slurm-[^/]*\)/.*|/\1|p' | head -n 1)
export PATH=$slurm/bin:$slurm/sbin:$PATH SLURM_CONF=$work/slurm.conf
mkdir -p "$work/state" "$work/key"
chmod 0700 "$work/state" "$work/key"
mkdir -p "$work/spool" "$work/log"
head -c 128 /dev/urandom >"$work/key/munge.key"
chmod 0600 "$work/key/munge.key"
read -ra ports <<<"$(python3 "$here/free_ports.py" 2 | xargs)"
# A job that names no memory would take the whole node's.
memory=$(awk '/^MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.sock
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd.log
SlurmdParameters=config_overrides
ReturnToService=2
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=bf_interval=1,sched_interval=2,batch_sched_delay=0
KillWait=5
GresTypes=gpu
NodeName=gpunode NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=$(nproc) RealMemory=$memory Gres=gpu:$type:$gpus
PartitionName=gpu Nodes=gpunode Default=YES MaxTime=1-00:00:00 DefMemPerCPU=1000
CONF
echo "NodeName=gpunode Name=gpu Type=$type File=$devices" >"$work/gres.conf"
echo CgroupPlugin=disabled >"$work/cgroup.conf"

started=()
start() {
  setsid "$@" >"$work/log/$(basename "$1").out" 2>&1 </dev/null &
  started+=($!)
}
clean_up() {
  local code=$? pid
  code=$(end_code "$code")
  trap - EXIT
  "$here/bin/rv" stop --all >/dev/null 2>&1 || true
  scancel --me >/dev/null 2>&1 || true
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  if [ "$code" -ne 0 ]; then
    tail -n 15 "$work"/log/* >&2
    find "$RV_HOME" "$work/project" -name '*.out' -exec tail -n 20 {} + 2>/dev/null >&2 || true
  fi
  [ "$code" -eq 0 ] && report "all as expected" || echo "FAILED; files are in $work" >&2
  exit "$code"
}
trap clean_up EXIT
goes_on=yes

start munged --foreground --force --key-file="$work/key/munge.key" --socket="$work/munge.sock" \
  --pid-file="$work/munged.pid" --log-file="$work/log/munged.log" --seed-file="$work/munge.seed"
wait_for 10 test -S "$work/munge.sock" || fail "munged does not start"
start slurmctld -D
start slurmd -D -N gpunode
idle() { [ "$(sinfo -h -N -o %t 2>/dev/null)" = idle ]; }
running() { for pid in "${started[@]}"; do kill -0 "$pid" 2>/dev/null || return 1; done; }
idle_or_gone() { ! running || idle; }
if ! wait_for 40 idle_or_gone || ! idle; then fail "the node is not idle: $(sinfo -N 2>&1)"; fi
report "$(sinfo --version) with $gpus x $type"

printf 'scratch: %s/scratch\n' "$work" >"$RV_SITE"
rv() { "$here/bin/rv" "$@"; }
mkdir -p "$work/project"
cd "$work/project" || exit
