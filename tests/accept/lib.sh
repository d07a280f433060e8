# Sourced by the tests of rv accept without Slurm. RV is the binary; the workers are in ../workers of its folder.
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the rv binary to test}"
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-accept-XXXXXX")
# shellcheck source=tests/clean_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../clean_environment.sh"
clean_environment
export NO_COLOR=1
cd "$work"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$(dirname "${BASH_SOURCE[0]}")/../assertions.sh"
