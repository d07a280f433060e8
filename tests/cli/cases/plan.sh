#!/usr/bin/env bash
# rv plan on a saved cluster needs no Slurm: table, JSON and exit codes.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
exits 0 rv plan --cluster "$cluster" -g 2 --time 30m
equal stderr "" "$err"
contains stdout '#  GPUs' "$out"
contains stdout '2× A40' "$out"
contains stdout 'cost (SU)' "$out"
exits 0 rv --json plan --cluster "$cluster" -g 2 --time 30m
says JSON 'd["request"]["gpus"] == 2 and d["request"]["time_s"] == 1800' "$work/out"
says JSON '[s["rank"] for s in d["strategies"]] == list(range(1, len(d["strategies"]) + 1))' "$work/out"
says JSON 'all(s["gpus"] == s["nodes"] * s["gpus_per_node"] == 2 for s in d["strategies"])' "$work/out"
says JSON 'all(s["script"].startswith("#!") for s in d["strategies"])' "$work/out"
says JSON 'all(set(s["wait"]) == {"p10_s", "p50_s", "p90_s", "basis"} for s in d["strategies"])' "$work/out"
says JSON 'type(d["rejected"]) is list' "$work/out"
# With a command and its options, the scripts are those that rv run would submit.
exits 0 rv plan --cluster "$cluster" -g 2 --time 30m --array 0-9 --json hostname -f
says JSON 'all("#SBATCH --array=0-9\n" in s["script"] and "hostname -f" in s["script"] for s in d["strategies"])' "$work/out"
cp "$work/out" planned
exits 0 rv run --cluster "$cluster" -g 2 --time 30m --array 0-9 --dry-run --json hostname -f
says JSON '[s["script"] for s in d["strategies"]] == [s["script"] for s in __import__("json").load(open("planned"))["strategies"]]' "$work/out"
# Nothing fits: both forms say so, with the reasons, and exit 120.
exits 120 rv plan --cluster "$cluster" -g 64 --single-node
contains stdout "This cluster can't provide 64 GPUs" "$out"
contains stdout 'Rejected:' "$out"
exits 120 rv plan --cluster "$cluster" -g 64 --single-node --json
equal stderr "" "$err"
says JSON 'd["strategies"] == [] and len(d["rejected"]) > 0' "$work/out"
# The same input gives the same bytes.
runs rv plan --cluster "$cluster" -g 4 --json
cp "$work/out" first
runs rv plan --cluster "$cluster" -g 4 --json
cmp first "$work/out" || fail 'two runs differ'
COLUMNS=60 NO_COLOR=1 python3 "$root/tests/on_terminal.py" '[]' "$RV" plan --cluster "$cluster" -g 64 --single-node |
  tr -d '\r' >"$work/out"
  out=$(<"$work/out")
! LC_ALL=C.UTF-8 grep -q '^.\{61\}' "$work/out" || fail 'a line is wider than COLUMNS'
# --probe asks the controller, and a saved cluster has none.
COLUMNS=100 exits 2 rv plan --cluster "$cluster" -g 2 --probe
equal stdout '' "$out"
contains stderr '--probe asks the controller, and --cluster plans on a saved file' "$err"
# A dry run says which strategies would be submitted.
exits 0 rv up --cluster "$cluster" -g 2 --time 30m --dry-run --fanout 1 --json
says JSON 'sum(s["races"] for s in d["strategies"]) == 1 and d["strategies"][0]["races"] and len(d["strategies"]) > 1' "$work/out"
