#!/usr/bin/env bash
# The workers start in a root that contains only them and an older glibc: Debian 11's (packages.sh unpacks it), or that of the
# folder RV_OLDER_LIBC. RV is one of the workers. RV_SKIP_REASON is the reason why they have no GPU.
set -euo pipefail
# shellcheck source=tests/own_memory.sh
. "$(dirname "$(realpath "$0")")/../own_memory.sh"
workers=$(dirname "$(realpath "${RV:?one of the workers}")")
work=$(mktemp -d)
# shellcheck source=tests/assertions.sh
. "$(dirname "$(realpath "$0")")/../assertions.sh"
root=$work/root
trap 'umount -l "$root/proc" "$root/dev" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT

libraries=${RV_OLDER_LIBC:-/opt/glibc-2.31}
if [ ! -d "$libraries" ]; then
  echo "no $libraries: with this machine's glibc instead"
  libraries=$(dirname "$(g++ -print-file-name=libc.so.6)")
fi
mkdir -p "$root"/{lib64,rv,proc,dev,tmp}
ln -s lib64 "$root/lib" # the folder that it searches depends on the distribution
for library in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1; do
  cp -L "$libraries/$library" "$root/lib64/"
done
cp "$workers"/rv-{collective,compute,envs,health,io,sample,stress,train} "$root/rv/"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs none "$root/dev/shm"
chroot "$root" /lib64/libc.so.6 >"$work/version" || fail "that glibc does not start"
head -n 1 "$work/version"

# there CODE WORKER ARGUMENTS…: as a node with that glibc would run it.
there() {
  local code=$1 worker=$2
  shift 2
  exits "$code" env -i HOME=/tmp PATH="$PATH" CUDA_VISIBLE_DEVICES= LD_BIND_NOW="${bind_now:-}" timeout 60 chroot "$root" "/rv/$worker" "$@"
}
for worker in collective compute envs health io sample stress train; do
  there 0 "rv-$worker" --help
done
there 77 rv-compute --device cuda
contains "without a driver" "${RV_SKIP_REASON:?no_gpu or no_cuda_build}" "$out$err"
there 77 rv-health
there 0 rv-compute --device cpu --quick --size 64 --suite gemm,exact
there 0 rv-sample --list
there 0 rv-stress --device cpu --duration 0.5 --workers 2
# Ranks on the host: threads, sockets and gloo, each function found at once too.
small=(--device cpu --quick --local-ranks 3)
there 0 rv-collective "${small[@]}" -b 8 -e 512 -f 64 --samples 1 --types bf16,fp32
contains "over gloo" "3 ranks, gloo" "$out"
bind_now=1 there 0 rv-train "${small[@]}"
there 0 rv-train --device cpu --local-ranks 2 --model resnet18 --image-size 16 --batch-size 2 --steps 2
there 0 rv-envs --device cpu --num-envs 2 --iterations 1 --local-ranks 2
# An exception passes from gloo's libstdc++ to the worker's: a rank dies, and is named.
there 3 rv-collective "${small[@]}" --suite sweep --ops all_reduce -b 1K -e 1K --place out --deadline 4 --silence 3 --inject die@1:5
contains "who died" "rank 1" "$out"
contains "how" "was killed by signal 9" "$out"
mkdir -p "$root/tmp/scratch"
there 0 rv-io --device cpu --local-ranks 2 --quick --folder scratch=/tmp/scratch --rounds 1
