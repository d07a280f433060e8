#!/usr/bin/env bash
# --probe shows the controller's answer beside the prediction; strategies that the controller refuses are ranked last and not
# submitted.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"
mend() { scontrol update partitionname=gpu-a40 AllocNodes=ALL; }

# strategy PARTITION NODES: its entry, as a Python expression.
strategy() {
  python3 -c 'import json,sys
strategies = json.load(sys.stdin)["strategies"]
print(next({**s, "script": ""} for s in strategies if (s["partition"], s["nodes"]) == (sys.argv[1], int(sys.argv[2]))))' "$@"
}
job_id() { sbatch --parsable -p standard --mem=10M -o /dev/null --wrap true; }

# Free nodes start now, taken ones after the full hour that their job may take.
occupy gpu-v100 2 4 >/dev/null
taken() { [ -n "$(squeue -h -t R -n busy)" ]; }
wait_for 20 taken || fail "the nodes are not taken: $(squeue)"
rv plan -g 4 -t a40,v100 --single-node --time 30m >/dev/null # the limits are known
first=$(job_id)
plan=$(rv plan -g 4 -t a40,v100 --single-node --time 30m --probe --json)
equal "one job ID a question" $((first + 3)) "$(job_id)"
contains "free" "'controller': {'answer': 'starts', 'wait_s': 0, 'nodes': 'udc-an33-1', 'message': ''}" "$(strategy gpu-a40 1 <<<"$plan")"
contains "taken" "'answer': 'starts', 'wait_s': 3" "$(strategy gpu-v100 1 <<<"$plan")"
exits 0 rv plan -g 4 -t a40,v100 --single-node --time 30m --probe
[ -s "$RV_HOME/cache/calls" ] || fail "the budget is not kept"
contains "column" "  controller  cost (SU)" "$out"
contains "what it is" "sbatch --test-only" "$out"
plain=$(rv plan -g 4 -t a40 --time 30m --json)
[[ $plan == *'"controller"'* && $plain != *'"controller"'* ]] || fail "asked without --probe: $plain"

# A refusal that no question of rv's own would show: this machine may not submit to that partition.
scontrol update partitionname=gpu-a40 AllocNodes=elsewhere
exits 0 rv plan -g 2 -t a40,a6000 --single-node --time 30m --goal soonest --probe --json
equal "refused last" "gpu-a6000 gpu-a40" "$(python3 -c 'import json,sys; print(*[s["partition"] for s in json.load(sys.stdin)["strategies"]])' <<<"$out")"
contains "its words" "{'answer': 'refused', 'wait_s': None, 'nodes': '', 'message': 'Access/permission denied'}" "$(strategy gpu-a40 1 <<<"$out")"
exits 0 rv run --probe -g 2 -t a40,a6000 --single-node --time 5m -f --name probed echo ran
equal "output" "ran" "$out"
contains "said" "the controller refuses it: 2× A40 on gpu-a40: Access/permission denied" "$err"
equal "submitted" "['gpu-a6000']" "$(field probed "['candidates']" | python3 -c 'import ast,sys; print([c["partition"] for c in ast.literal_eval(sys.stdin.read())])')"

# Nothing is left to submit: no run, and the table has the reasons.
before=$(find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l)
exits 120 rv run --probe -g 2 -t a40 --time 5m echo never
contains "why" "2× A40 on gpu-a40: Access/permission denied" "$out"
equal "runs made" "$before" "$(find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l)"
