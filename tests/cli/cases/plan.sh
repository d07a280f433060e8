#!/usr/bin/env bash
# rv plan on a saved cluster: table, JSON, exit codes, no Slurm needed.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
rv plan --cluster "$cluster" -g 2 --time 30m
expect_code 0
no_err
out_has '#  GPUs'
out_has '2× A40'
out_has 'cost (SU)'
rv --json plan --cluster "$cluster" -g 2 --time 30m
expect_code 0
json "$scratch/out" 'd["request"]["gpus"] == 2 and d["request"]["time_s"] == 1800'
json "$scratch/out" '[s["rank"] for s in d["strategies"]] == list(range(1, len(d["strategies"]) + 1))'
json "$scratch/out" 'all(s["gpus"] == s["nodes"] * s["gpus_per_node"] == 2 for s in d["strategies"])'
json "$scratch/out" 'all(s["script"].startswith("#!") for s in d["strategies"])'
json "$scratch/out" 'all(set(s["wait"]) == {"p10_s", "p50_s", "p90_s", "basis"} for s in d["strategies"])'
json "$scratch/out" 'type(d["rejected"]) is list'
# Nothing fits: both forms say so, with the reasons, and exit 120.
rv plan --cluster "$cluster" -g 64 --single-node
expect_code 120
out_has 'Nothing on this cluster gives 64 GPUs'
out_has 'Rejected:'
rv plan --cluster "$cluster" -g 64 --single-node --json
expect_code 120
no_err
json "$scratch/out" 'd["strategies"] == [] and len(d["rejected"]) > 0'
# The same input gives the same bytes.
rv plan --cluster "$cluster" -g 4 --json
cp "$scratch/out" first
rv plan --cluster "$cluster" -g 4 --json
cmp first "$scratch/out" || fail 'two runs differ'
COLUMNS=60 NO_COLOR=1 python3 "$root/tests/on_terminal.py" '[]' "$RV" plan --cluster "$cluster" -g 64 --single-node |
  tr -d '\r' >"$scratch/out"
! LC_ALL=C.UTF-8 grep -q '^.\{61\}' "$scratch/out" || fail 'a line is wider than COLUMNS'
# --probe asks the controller, and a saved cluster has none.
COLUMNS=100 rv plan --cluster "$cluster" -g 2 --probe
expect_code 2
expect_out ''
err_has '--probe asks the controller, and --cluster plans on a saved file'
# A dry run says which strategies would be submitted.
rv up --cluster "$cluster" -g 2 --time 30m --dry-run --fanout 1 --json
expect_code 0
json "$scratch/out" 'sum(s["races"] for s in d["strategies"]) == 1 and d["strategies"][0]["races"] and len(d["strategies"]) > 1'
