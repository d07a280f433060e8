# Sourced by the tests of rv sweep without Slurm. RV is the binary; rv-sample is in ../workers of its folder.
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the rv binary to test}"
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-sweep-XXXXXX")
# shellcheck source=tests/clean_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../clean_environment.sh"
clean_environment
export NO_COLOR=1
mkdir "$work/project"
cd "$work/project"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$(dirname "${BASH_SOURCE[0]}")/../assertions.sh"

# A program that tells how fast it is as RSL-RL does: no faster beyond 4,000, out of a GPU's memory from 16,000 on.
cat >load.py <<'END'
import sys, time
n = int(sys.argv[1])
if n >= 16000:
    print("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", file=sys.stderr)
    sys.exit(1)
for i in range(3):
    time.sleep(0.1)
    print(f"   Computation: {24 * min(n, 4000)} steps/s (collection: 0.080s, learning 0.020s)")
    print(f"   Iteration time: 0.10s\n   Total timesteps: {24 * n * (i + 1)}", flush=True)
print("Training time: 0.30 seconds")
END
sweep() { "$RV" sweep --local --device cpu --cooldown 0 --every 0.1s "$@"; }
