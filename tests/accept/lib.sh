# What the tests of rv accept without Slurm start with. Needs RV, the binary; the workers are in ../workers of its folder.
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the rv binary to test}"
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-accept-XXXXXX")
export RV_HOME="$work/home" RV_SITE="$work/site.yaml" NO_COLOR=1
printf 'scratch: %s/scratch\n' "$work" >"$RV_SITE"
unset SLURM_JOB_ID SLURM_STEP_ID MASTER_ADDR MASTER_PORT RANK WORLD_SIZE CUDA_VISIBLE_DEVICES
cd "$work"
trap 'code=$?; drop_work "$code"; exit "$code"' EXIT

# shellcheck source=tests/assertions.sh
source "$(dirname "${BASH_SOURCE[0]}")/../assertions.sh"
