# Sourced by the tests of rv accept --kubernetes: makes a private home and starts an API server that stores objects, for the
# real kubectl. RV is the binary.
# shellcheck shell=bash
set -euo pipefail

: "${RV:?the rv binary to test}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$here/../data/kubernetes
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-kubernetes-XXXXXX")
# shellcheck source=tests/clean_environment.sh
source "$here/../clean_environment.sh"
clean_environment
export NO_COLOR=1 KUBECONFIG="$work/server/config" PYTHONDONTWRITEBYTECODE=1
cd "$work"
server=
trap 'code=$(end_code "$?"); [ -z "$server" ] || kill "$server" 2>/dev/null || true; drop_work "$code"; exit "$code"' EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$here/../assertions.sh"

# serve KUBERNETES OPERATOR…: a new server with these schemas; what the last one kept is gone.
serve() {
  if [ -n "$server" ]; then
    kill "$server"
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$work/server" "$HOME/.kube"
  mkdir -p "$work/server/logs"
  python3 "$here/api_server.py" "$work/server" "${@/#/$data/}" 2>"$work/server.err" &
  server=$!
  wait_for 20 test -s "$work/server/port" || fail "the server does not start: $(<"$work/server.err")"
}

# the_server METHOD PATH [JSON]
the_server() {
  curl -sS --fail-with-body -X "$1" -H 'Content-Type: application/json' ${3:+-d "$3"} \
    "http://127.0.0.1:$(<"$work/server/port")$2"
}

kubernetes() { "$RV" accept --kubernetes "$@"; }
