# Sourced by the tests of rv stress without Slurm. RV is the binary; rv-stress is in ../workers of its folder.
# shellcheck shell=bash
set -euo pipefail
# shellcheck source=tests/own_memory.sh
source "$(dirname "${BASH_SOURCE[0]}")/../own_memory.sh"

: "${RV:?the rv binary to test}"
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-stress-XXXXXX")
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

# On the processor.
stress() { "$RV" stress --local --device cpu --duration 1s "$@"; }
# Nothing of this test's is left in the process table; $work is in the environment of each of its processes.
nobody_left() {
  local pid
  for pid in $(with_environment "RV_HOME=$RV_HOME" -x rv-stress); do
    fail "process $pid is left: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
  done
}
