#!/usr/bin/env bash
# Accepts a machine with at least two GPUs over ssh as two hosts of one GPU each, in separate network namespaces; then tests
# every fabric within the machine against NCCL's log. Runs as root and needs openssh-server and iproute2. If the kernel has no
# bridges, the two sshd listen on two loopback addresses.
# usage: RV=$PWD/build/cli/rv bash tests/hosts/gpu/two_gpus_as_two_hosts.sh FOLDER [quick]
# FOLDER is an absolute path and receives reports and NCCL's logs; quick leaves out the longest steps.
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$(realpath "$0")")/../lib.sh"
reports=${1:?an absolute folder for the reports}

# NCCL takes two processes of one machine for one host unless it is configured otherwise. sshd passes nothing on, so what is
# said here of NCCL and of where libraries are is said there too.
passed=("PATH=$PATH" "${LD_LIBRARY_PATH:+LD_LIBRARY_PATH=$LD_LIBRARY_PATH}")
for name in $(compgen -e NCCL_ || true); do passed+=("$name=${!name}"); done
addresses=(10.77.0.11 10.77.0.12)
if ! ip link add rvtry type bridge 2>/dev/null || ! ip link add rvtry1 type veth peer name rvtry2 2>/dev/null; then
  echo "no bridge and no veth here: two sshd on the loopback"
  addresses=(127.0.0.11 127.0.0.12)
  export NCCL_SOCKET_IFNAME=lo
  passed+=(NCCL_SOCKET_IFNAME=lo)
  ip() {
    case "$1 $2" in
      'link set') [ "$3" != lo ] || command ip "$@" ;;
      'netns exec') shift 3 && "$@" ;;
      # Every process of this test's namespace is of one host or of the other.
      'netns pids') pgrep -f 'rv-host-|rv-(health|compute|collective|train|stress)' || true ;;
    esac
  }
fi
for name in rvtry1 rvtry; do command ip link del "$name" 2>/dev/null || true; done
make_hosts 0
make_host h1 "${addresses[0]}" "CUDA_VISIBLE_DEVICES=0 NCCL_HOSTID=h1 ${passed[*]}"
make_host h2 "${addresses[1]}" "CUDA_VISIBLE_DEVICES=1 NCCL_HOSTID=h2 ${passed[*]}"

# try NAME ARGUMENTS…: what rv says and returns, its report, and NCCL's logs. Some fabric is always missing, so no code is
# the end of it.
try() {
  local name=$1 code=0 file
  shift
  mkdir -p "$reports/$name"
  "$RV" accept "$@" --report-dir "$reports/$name" >"$reports/$name/out" 2>"$reports/$name/err" </dev/null || code=$?
  while IFS= read -r file; do
    cp "$file" "$reports/$name/$(basename "$(dirname "$file")").$(basename "$file")"
  done < <(find "$RV_HOME/accept" -name 'nccl.*.log' 2>/dev/null)
  rm -rf "$RV_HOME/accept"
  printf '%-24s exit %s  %s\n' "$name" "$code" "$(grep -m 1 '^fabric:' "$reports/$name/out" || tail -n 2 "$reports/$name/out" | head -n 1)"
}
suites='p2p,collective,ddp' few=()
[ "${2:-}" != quick ] || { suites=ddp && few=(--suite 'health,p2p,ddp'); }
try two-hosts --hosts h1,h2 ${few[@]+"${few[@]}"}
left_clean h1 h2
try two-hosts-ethernet --hosts h1,h2 --suite "$suites" --fabric ethernet
left_clean h1 h2
for fabric in nvlink shm ib ethernet; do
  try "one-host-$fabric" --local --gpus-per-node 2 --suite "$suites" --fabric "$fabric"
done
# Many workers at once, on each host's GPU.
code=0
"$RV" stress --hosts h1,h2 --duration 3s --report-dir "$reports/two-hosts-stress" >"$reports/two-hosts-stress.out" 2>&1 </dev/null || code=$?
printf '%-24s exit %s  %s\n' two-hosts-stress "$code" "$(grep -m 1 '^workers that passed' "$reports/two-hosts-stress.out" || true)"
left_clean h1 h2
