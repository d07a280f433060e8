#!/usr/bin/env bash
# For a machine with two GPUs or more, as root: two hosts of one GPU each, in network namespaces of their own, accepted
# over ssh; then every fabric within the machine, with the proof from NCCL's log. Needs openssh-server and iproute2.
# usage: RV=$PWD/build/cli/rv bash tests/hosts/gpu/two_gpus_as_two_hosts.sh FOLDER (absolute; gets reports and NCCL's logs)
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$(realpath "$0")")/../lib.sh"
reports=${1:?an absolute folder for the reports}

# NCCL takes two processes of one machine for one host unless it is told otherwise.
make_hosts 0
libraries=${LD_LIBRARY_PATH:+LD_LIBRARY_PATH=$LD_LIBRARY_PATH} # where NCCL is, perhaps
make_host h1 10.77.0.11 "CUDA_VISIBLE_DEVICES=0 NCCL_HOSTID=h1 $libraries"
make_host h2 10.77.0.12 "CUDA_VISIBLE_DEVICES=1 NCCL_HOSTID=h2 $libraries"

# try NAME WORDS…: what rv says and returns, its report, and NCCL's logs. Some fabric is always missing, so no code is
# the end of it.
try() {
  local name=$1 code=0 file
  shift
  mkdir -p "$reports/$name"
  "$RV" accept "$@" --report-dir "$reports/$name" >"$reports/$name/out" 2>"$reports/$name/err" </dev/null || code=$?
  while IFS= read -r file; do
    cp "$file" "$reports/$name/$(basename "$(dirname "$file")").$(basename "$file")"
  done < <(find "$RV_HOME/accept" -name 'nccl.*.log')
  rm -rf "$RV_HOME/accept"
  printf '%-24s exit %s  %s\n' "$name" "$code" "$(grep -m 1 '^fabric:' "$reports/$name/out" || tail -n 2 "$reports/$name/out" | head -n 1)"
}
try two-hosts --hosts h1,h2
left_clean h1 h2
try two-hosts-ethernet --hosts h1,h2 --suite p2p,collective,ddp --fabric ethernet
left_clean h1 h2
for fabric in nvlink shm ib ethernet; do
  try "one-host-$fabric" --local --gpus-per-node 2 --suite p2p,collective,ddp --fabric "$fabric"
done
