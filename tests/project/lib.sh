# Sourced by the tests of project environments: a home, a scratch folder, a project, and wheels that pip finds without a
# network. Needs RV (the binary).
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${RV:?the rv binary to test}"
RV=$(realpath "$RV")
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-project-XXXXXX")
# shellcheck source=tests/clean_environment.sh
source "$root/tests/clean_environment.sh"
clean_environment
export NO_COLOR=1
mkdir -p "$RV_HOME" "$work/project"
scratch=$work/scratch
cd "$work/project"

rv() { "$RV" "$@"; }

clean_up() {
  local code=$?
  code=$(end_code "$code")
  [ "$(type -t mend)" != function ] || mend
  drop_work "$code"
  exit "$code"
}
trap clean_up EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"

wheel() { python3 "$root/tests/project/make_wheel.py" "$@"; }
# requirements LINE…: what pip needs to find the test's wheels, and these lines.
requirements() { printf '%s\n' --no-index '--find-links wheels' "$@"; }
# What rv deps says, by a Python expression over its document.
deps() { rv deps show --json | python3 -c "import json,sys; d=json.load(sys.stdin)['environment']; print($1)"; }
folders() { find "$scratch/environments" -mindepth 2 -maxdepth 2 -type d -not -path '*/locks/*' 2>/dev/null | sort; }
