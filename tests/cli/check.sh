# Sourced by every case: makes a private home and includes the shared assertions.
# shellcheck shell=bash
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${RV:?RV must name the rv binary to test}"
RV=$(realpath "$RV")
cluster=$here/data/small.cluster.json
root=$(cd "$here/../.." && pwd)
export cluster root
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-cli-XXXXXX")
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes
# shellcheck source=tests/clean_environment.sh
. "$here/../clean_environment.sh"
clean_environment
mkdir -p "$RV_HOME" "$work/work"
: > "$RV_SITE"
cd "$work/work" || exit 1

# shellcheck source=tests/assertions.sh
. "$here/../assertions.sh"

rv() { "$RV" "$@"; }
