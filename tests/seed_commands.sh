#!/usr/bin/env bash
# Runs the commands of docs/coming-from.md on a machine without GPUs: on its processor, with smaller numbers than the originals,
# with a one-machine Slurm as the cluster and Podman for containers. Prints each command and its output, and exits with 1 if one
# does not end as expected.
# usage: seed_commands.sh BUILD_FOLDER    (as root; three minutes)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:?the build folder}")
own=$(mktemp -d /tmp/rv-seeds-XXXXXX)
export RV=$build/cli/rv RV_SANDBOX_DIR=$own/sandbox
"$root/examples/sandbox/sandbox" up --shape afton --dir "$RV_SANDBOX_DIR" >"$own/started" 2>&1 ||
  { cat "$own/started" >&2 && exit 1; }
# shellcheck disable=SC2317 # called by clean_up
take_down() {
  cd /
  "$root/examples/sandbox/sandbox" down --dir "$RV_SANDBOX_DIR" >/dev/null
  rm -rf "$own"
}
# shellcheck source=tests/real/lib.sh
source "$root/tests/real/lib.sh"
# shellcheck source=tests/podman.sh
source "$root/tests/podman.sh"
make_podman
export PATH=$build/cli:$build/workers:$PWD/bin:$PATH COLUMNS=120
printf '%s\n' 'container: podman' 'setup:' "  - export PATH=$PWD/bin:\$PATH" >>"$RV_SITE"
build_image localhost/rv-workers

failed=0
# shown CODE LINES COMMAND LINE: as typed, its last LINES lines, and its exit code unless that is 0.
shown() {
  local code=0
  printf '$ %s\n' "$3"
  bash -c "$3" >said 2>&1 </dev/null || code=$?
  [ "$(wc -l <said)" -le "$2" ] || echo …
  tail -n "$2" said
  [ "$code" -eq 0 ] || echo "(exit code $code)"
  [ "$code" -eq "$1" ] || { failed=1 && echo "NOT AS EXPECTED: exit code $code instead of $1" && cat said; }
}

cat >launch_scientist_bfts.py <<'P'
import os
given = os.environ.get("CUDA_VISIBLE_DEVICES", "")
print(f"Using GPUs: {given}" if given else "⚠️ No GPUs detected - falling back to CPU mode")
P

echo "# 001"
shown 0 17 "rv stress -g 4 --device cpu --duration 3 --memory 1 --launch 'python3 launch_scientist_bfts.py'"
shown 0 3 'rv stress -g 4 --device cpu --duration 2 --memory 2'
shown 0 9 "rv stress -g 4 --device cpu --skip-stress --launch 'python3 launch_scientist_bfts.py'"
shown 0 3 'rv stress -g 4 --device cpu --workers 8 --duration 3 --memory 2'
shown 0 3 'rv stress -g 4 --device cpu --workers 4 --memory 4 --duration 3'
shown 0 3 'rv stress -g 4 --device cpu --workers 12 --duration 3 --memory 1'
shown 0 3 'rv stress -g 4 --device cpu --memory 1 --workers 16 --duration 3'
shown 0 3 'rv stress --local --device cpu --duration 2 --memory 1 --cleanup --junit stress.xml'
shown 0 4 'grep -c "<testcase" stress.xml'

echo "# 002"
cp "$root/examples/containers/Containerfile" .
shown 0 3 'podman build -q -t localhost/again -f Containerfile image >/dev/null && podman images --format "{{.Repository}} {{.Size}}"'
shown 77 5 'rv accept --local --device cpu --suite health,compute --container localhost/rv-workers --report-dir reports'
shown 0 6 'rv accept --local --device cpu --suite compute,train'
shown 0 6 'rv accept --local --device cpu --full --suite compute,ddp'
shown 0 4 'rv-collective --device cpu --local-ranks 2 --suite sweep --ops all_reduce -b 8M -e 8M -n 20 --place out'
shown 0 6 'rv-train --device cpu --local-ranks 2 --epochs 2'
shown 0 6 'rv accept --nodes 1 --gpus-per-node 2 -t a40 --time 10m --device cpu --suite compute,ddp'
shown 0 7 'rv accept --nodes 2 --gpus-per-node 1 -t a40 --time 10m --device cpu --suite collective,ddp'
shown 0 6 'rv accept --partition gpu-a40 --nodes 1 --gpus-per-node 1 --time 10m --device cpu --container localhost/rv-workers --suite compute,train --account lab'
shown 0 4 'rv accept --kubernetes --nodes 1 --gpus-per-node 1 --image registry.example/team/rv-workers:1.0 | grep -E "^kind|nvidia.com/gpu: "'
shown 0 4 'rv accept --local --device cpu --suite io --io-size 64M'

echo "# 004"
shown 0 9 'rv-train --model resnet18 --device cpu --local-ranks 1 --batch-size 8 --num-classes 10 --image-size 32 --results results.json && head -n 8 results.json'
shown 0 4 'NCCL_DEBUG=INFO NCCL_SOCKET_IFNAME=lo rv-train --model resnet50 --device cpu --local-ranks 2 --batch-size 2 --image-size 32'
shown 3 4 'rv-train --model resnet18 --device cpu --local-ranks 1 --data-mode cifar10 --data-dir nowhere'
shown 0 4 'rv-train --model transformer --device cpu --local-ranks 1 --batch-size 2 --warmup-iterations 1 --active-iterations 2 --learning-rate 0.01'
shown 0 6 'rv run --nodes 2 -g 2 -t a40 --time 10m -f --container localhost/rv-workers rv-train --device cpu --local-ranks 1 --model resnet18 --batch-size 2 --image-size 32'
shown 0 6 'rv-collective --device cpu --local-ranks 4 --suite sweep --ops all_reduce -b 8K -e 2M -f 4 --place out'
shown 0 7 'rv accept --nodes 2 --gpus-per-node 2 -t a40 --time 10m --device cpu --suite p2p,collective'
shown 0 6 'rv gc --reports --keep 7d'
exit "$failed"
