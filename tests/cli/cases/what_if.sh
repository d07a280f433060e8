#!/usr/bin/env bash
# Below the table, rv plan lists requests that would start sooner according to the replay.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
# Both A40 nodes run jobs of 6 GPUs for 10 more hours; somebody's job of 8 GPUs waits ahead.
python3 - "$cluster" >busy.json <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
at = d["taken_at"]
d["user"] = "me"
def job(number, state, gpus, nodes, hours):
    return {"id": str(number), "user": "other", "account": "lab", "partitions": ["gpu-a40"], "state": state,
            "reason": "None" if nodes else "Resources", "priority": 1000, "nodes": 1, "cpus": gpus,
            "requested": {"cpu": gpus, "node": 1, "gres/gpu": gpus}, "gres_per_node": f"gres:gpu:a40:{gpus}",
            "time_limit_s": hours * 3600, "submitted": at - 600, "node_names": nodes,
            **({"start": at - 60} if nodes else {})}
nodes = [n for n in d["nodes"] if "gpu-a40" in n["partitions"]]
d["jobs"] = [job(10, "PENDING", 8, [], 10)]
for i, node in enumerate(nodes):
    node["gpus"][0]["used"] = node["cpus_used"] = 6
    node["state"] = "MIXED"
    d["jobs"].append(job(i + 1, "RUNNING", 6, [node["name"]], 10))
print(json.dumps(d))
P
exits 0 rv plan --cluster busy.json -g 4 -t a40 --single-node --time 20h
contains stdout 'Starts sooner:' "$out"
contains stdout ' instead of A40 starts now: -t ' "$out"
exits 0 rv plan --cluster busy.json -g 4 -t a40 --single-node --time 4h --json
says JSON '"other_type" in [w["change"] for w in d["what_if"]]' "$work/out"
says JSON 'all({"options", "text", "wait", "gpus", "cost_su"} <= set(w) and "rank" not in w for w in d["what_if"])' "$work/out"
says JSON 'all(w["wait"]["p50_s"] + 300 <= min(s["wait"]["p50_s"] for s in d["strategies"]) for w in d["what_if"])' "$work/out"
says JSON '[w["options"] for w in d["what_if"] if w["change"] == "fewer_gpus"] == [["-g", "2"]]' "$work/out"
# What is promised is what the plan itself says when asked so.
exits 0 rv plan --cluster busy.json -g 2 -t a40 --single-node --time 4h --json
says JSON 'd["strategies"][0]["wait"]["p50_s"] < 60 and d["what_if"] == []' "$work/out"
# The same below a dry run, and --explain has them in its list.
exits 0 rv run --cluster busy.json -g 4 -t a40 --single-node --time 4h --dry-run hostname
contains stdout '2 GPUs instead of 4 start now' "$out"
exits 0 rv plan --cluster busy.json -g 4 -t a40 --single-node --time 4h --explain --json
says JSON 'd["explanation"]["sooner"] == [w["text"] for w in d["what_if"]] != []' "$work/out"
# A launcher that starts four processes gets no advice to take two GPUs.
: >train.py
exits 0 rv plan --cluster busy.json -g 4 -t a40 --single-node --time 4h --json torchrun --nproc-per-node 4 train.py
says JSON 'all(w["gpus_per_node"] == 4 for w in d["what_if"])' "$work/out"
# Nothing is busy: no advice.
exits 0 rv plan --cluster "$cluster" -g 2 -t a40
case $out in *sooner*) fail "advice where all is free: $out" ;; esac
