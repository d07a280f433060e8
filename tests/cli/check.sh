# Sourced by every case: a private home and the shared assertions. The first failure ends the case.
# shellcheck shell=bash
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${RV:?RV must name the rv binary to test}"
RV=$(realpath "$RV")
cluster=$here/data/small.cluster.json
root=$(cd "$here/../.." && pwd)
export cluster root
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-cli-XXXXXX")
trap 'code=$?; drop_work "$code"; exit "$code"' EXIT
# shellcheck source=tests/clean_environment.sh
. "$here/../clean_environment.sh"
clean_environment
mkdir -p "$RV_HOME" "$work/work"
: > "$RV_SITE"
cd "$work/work" || exit 1

# shellcheck source=tests/assertions.sh
. "$here/../assertions.sh"

rv() { "$RV" "$@"; }
