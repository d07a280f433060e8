# Sourced by every test on the real Slurm. RV is the binary, RV_SANDBOX_DIR the folder of a running sandbox (shape afton).
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${RV:?the rv binary to test}" "${RV_SANDBOX_DIR:?the folder of a running sandbox}"

# Every test has a home, a project and its own site.
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-real-XXXXXX")
# shellcheck source=tests/clean_environment.sh
source "$root/tests/clean_environment.sh"
clean_environment
export NO_COLOR=1
eval "$("$root/examples/sandbox/sandbox" env --dir "$RV_SANDBOX_DIR")"
mkdir "$work/project"
cd "$work/project"

rv() { "$RV" "$@"; }

# A test that changes what others need defines put_back; one on its own sandbox, take_down.
clean_up() {
  local code=$?
  code=$(end_code "$code")
  [ "$(type -t put_back)" != function ] || put_back || true
  "$RV" stop --all >/dev/null 2>&1 || true
  scancel -u "$(id -un)" >/dev/null 2>&1 || true
  [ "$(type -t mend)" != function ] || mend
  wait_for 20 no_jobs || { echo "FAIL: jobs left behind: $(squeue -h)" && code=1; }
  drop_work "$code"
  [ "$(type -t take_down)" != function ] || take_down
  exit "$code"
}
trap clean_up EXIT
goes_on=yes

# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"

no_jobs() { [ -z "$(squeue -h --me -t PENDING,RUNNING,SUSPENDED,CONFIGURING,COMPLETING)" ]; }
one_runs() { [ "$(squeue -h --me -t RUNNING | wc -l)" -eq 1 ]; }
lines_in() { if [ -e "$1" ]; then wc -l <"$1"; else echo 0; fi; }
has_lines() { [ "$(lines_in "$1")" -ge "$2" ]; }
# The value of a path like .state in the newest run's JSON.
field() { rv show "$1" --json | python3 -c "import json,sys; print(json.load(sys.stdin)$2)"; }
# The processes of rv that work on this test's runs, in the background too. Other tests may run beside this one.
all_of_rv() { with_environment "RV_HOME=$RV_HOME" -x "$(basename "$RV")"; }
# occupy PARTITION NODES GPUS_PER_NODE: fills nodes with somebody's job, and waits until it runs where it can.
occupy() {
  local job
  job=$(sbatch --parsable -J busy -p "$1" -N "$2" --gres="gpu:$3" --mem=1G -t 1:00:00 -o /dev/null --wrap 'sleep 600')
  echo "$job"
  wait_for 20 job_runs "$job" || true
}
job_runs() { [ "$(squeue -h -j "$1" -o %T 2>/dev/null)" = RUNNING ]; }
