# Sourced by every test on the strict site. RV is the binary, RV_SANDBOX_DIR the folder of a running sandbox of sites.yaml. The
# tests run in parallel, each on nodes of its own, and each ends only its own jobs.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${RV:?the rv binary to test}" "${RV_SANDBOX_DIR:?the folder of a running sandbox}"
eval "$("$root/examples/sandbox/sandbox" env --dir "$RV_SANDBOX_DIR")"

work=$(mktemp -d "${TMPDIR:-/tmp}/rv-site-XXXXXX")
chmod 0711 "$work" # other users' jobs and questions pass through
export NO_COLOR=1

# as USER COMMAND…: an ordinary user, with their own home.
as() {
  local user=$1 home=$work/$1
  shift
  [ -d "$home" ] || { mkdir -m 0755 "$home" && printf 'scratch: %s/scratch\n' "$home" >"$home/site.yaml" && chown -R "$user" "$home"; }
  env -C "$home" USER="$user" LOGNAME="$user" HOME="$home" RV_HOME="$home/rv" RV_SITE="$home/site.yaml" \
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@"
}
install -m 0755 "$RV" "$work/rv" # which may lie where only its owner can read
rv() { as games "$work/rv" "$@"; }
rv_of_root() { as root "$work/rv" "$@"; }

busy=()
clean_up() {
  local code=$?
  code=$(end_code "$code")
  rv stop --all >/dev/null 2>&1 || true
  rv_of_root stop --all >/dev/null 2>&1 || true
  [ "${#busy[@]}" -eq 0 ] || scancel "${busy[@]}" || true
  [ "$(type -t mend)" != function ] || mend
  drop_work "$code"
  exit "$code"
}
trap clean_up EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"

# submitted ARGUMENTS…: root's job, in $job; it ends with the test.
submitted() {
  job=$(sbatch --parsable -J busy --mem=1G -t 1:00:00 -o /dev/null "$@" --wrap 'sleep 600')
  busy+=("$job")
}
is_running() { [ "$(squeue -h -j "$1" -o %T 2>/dev/null)" = RUNNING ]; }
# occupied ARGUMENTS…: the same, and it runs.
occupied() {
  submitted "$@"
  wait_for 20 is_running "$job" || fail "job $job does not run: $(squeue -h -j "$job")"
}
# row TYPE: of rv cluster's table: nodes total free used unusable pending.
row() { awk -v type="$1" '$1 == type { print $2, $3, $4, $5, $6, $7 }' <<<"$out"; }
# wait_of PLAN: the first strategy's, as JSON has it.
wait_of() { python3 -c "import json,sys; w=json.load(sys.stdin)['strategies'][0]['wait']; print(w['p50_s'], w['basis'])"; }
