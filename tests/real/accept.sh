#!/usr/bin/env bash
# rv accept through Slurm on two nodes with two ranks each runs every suite per node and across both nodes, on processors.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

accept() { "$RV" accept --device cpu --nodes 2 --gpus-per-node 2 "$@"; }

exits 0 accept --type a6000 --report-dir "$work/report"
report=$work/report/accept.json
contains progress "collective-all-nodes       pass" "$out"
contains verdict "pass: 2 nodes" "$out"
says "the report" 'd["verdict"] == "pass" and d["findings"] == [] and d["order"]["nodes"] == 2' "$report"
says "the report" '{f["node"] for f in d["figures"]} == {None, "udc-an28-1", "udc-an28-2"}' "$report"
says "the report" 'all(f["params"]["ranks"] == (4 if f["node"] is None else 2) for f in d["figures"] if f["suite"] == "collective")' "$report"
grep -q '<svg class="chart lines"' "$work/report/accept.html" || fail "the page has no curves"
id=$(rv ps -a --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["id"])')
equal "the run's own end" "done" "$(field "$id" "['state']")"
! grep -r "$(<"$RV_HOME/runs/$id/accept/token")" "$RV_HOME/runs/$id/candidates" "$RV_HOME/runs/$id/logs" "$work/report" ||
  fail "the ranks' secret is in a script or a log"

# Nodes by name; in the background, judged when it is over.
exits 0 "$RV" accept --device cpu --nodelist 'udc-an28-[1-2]' --gpus-per-node 1 --suite ddp --detach
id=$out
is_over() { [ "$(field "$id" "['over']")" = True ]; }
wait_for 120 is_over || fail "run $id is not over"
exits 0 rv accept --judge "$id"
contains verdict "pass: 2 nodes, 2 ranks on CPUs; passed: ddp" "$out"
exits 2 "$RV" accept --device cpu --nodelist udc-an28-1,udc-nowhere --gpus-per-node 1 --suite ddp
contains "a node that is not there" "this cluster has no node \"udc-nowhere\"" "$err"

# Without a number of GPUs: all of a node that the request may use. The largest nodes of this cluster have eight.
exits 0 "$RV" accept --device cpu --suite ddp -p gpu-v100 --report-dir "$work/small"
says "GPUs of a V100 node" 'd["order"]["gpus_per_node"] == 4' "$work/small/accept.json"
gpus() { # OPTION…
  "$RV" accept --dry-run --json "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["request"]["gpus"])'
}
equal "of any partition" 8 "$(gpus)"
equal "with a feature" 4 "$(gpus -C v100)"
equal "without the larger nodes" 4 "$(gpus -x 'udc-an28-[1-2],udc-an33-[1-2],udc-an34-[1-2],udc-an36-[1-2],udc-an40-[1-2]')"
equal "of two nodes" 8 "$(gpus -p gpu-v100 --nodes 2)"

# In an allocation of one's own: a process on each of its nodes.
exits 0 salloc -N 2 -p gpu-a6000 --gres=gpu:2 --mem=8000 -t 10 "$RV" accept --local --device cpu --suite ddp,transformer
contains "the ranks of both nodes" "all nodes together" "$out"
contains "the nodes of the allocation" udc-an28-2, "$out"
contains verdict "passed: ddp, transformer" "$out"

# A run that ended early gives no verdict about GPUs, and reports what is missing.
exits 0 accept --type a6000 --detach
id=$out
began() { grep -qs '"step":"compute"' "$RV_HOME/runs/$id/accept/reports"/*/steps.jsonl; }
wait_for 60 began || fail "run $id did not begin"
exits 0 rv stop "$id"
wait_for 30 is_over || fail "run $id is not over"
exits 3 rv accept --judge "$id"
contains "what is missing" "compute started but did not end" "$out"
exits 3 rv accept --judge "$id" --json
contains "all that is missing" "ddp-all-nodes did not start" "$out"
