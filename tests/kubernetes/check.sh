#!/usr/bin/env bash
# rv accept --kubernetes --check lists usable nodes, from the real kubectl and from a file.
# shellcheck source=tests/kubernetes/lib.sh
source "$(dirname "$0")/lib.sh"

serve kubernetes-1.33.json
python3 - <<'END'
import json
def node(name, gpus, ready=True, taints=(), **labels):
    amount = {"nvidia.com/gpu": str(gpus), "cpu": "192"} if gpus else {"cpu": "8"}
    return {"metadata": {"name": name, "labels": labels}, "spec": {"taints": list(taints)},
            "status": {"capacity": amount, "allocatable": amount, "conditions": [{"type": "Ready", "status": str(ready)}]}}
gpu = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
team = {"key": "team", "value": "vision", "effect": "NoSchedule"}
h200 = {"nvidia.com/gpu.product": "NVIDIA-H200"}
nodes = [node("gpu-1", 8, taints=[gpu], **h200), node("gpu-2", 8, taints=[gpu], **h200), node("gpu-3", 8, taints=[gpu, team], **h200),
         node("gpu-4", 0, **{"nvidia.com/gpu.present": "true"}), node("gpu-5", 8, ready=False, **h200), node("web-1", 0)]
def pod(name, on, gpus, phase, message=None):
    status = {"phase": phase}
    if message:
        status["conditions"] = [{"type": "PodScheduled", "status": "False", "message": message}]
    return {"metadata": {"name": name, "namespace": "ml"}, "status": status,
            "spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": str(gpus)}}}], **({"nodeName": on} if on else {})}}
pods = [pod("train-0", "gpu-2", 2, "Running"), pod("old-0", "gpu-1", 8, "Succeeded"),
        pod("train-1", None, 8, "Pending", "0/6 nodes are available: 6 Insufficient nvidia.com/gpu.")]
json.dump({"items": nodes}, open("server/nodes.json", "w"))
json.dump({"items": pods}, open("server/pods.json", "w"))
END

exits 120 kubernetes --check --nodes 2 --gpus-per-node 8
cat >expected <<'END'
NODE           GPUS  IN USE  TAKES A POD  MODEL
gpu-1             8       0  yes          NVIDIA-H200
gpu-2             8       2  no           NVIDIA-H200
  2 of 8 GPUs are in use
gpu-3             8       0  no           NVIDIA-H200
  taint team=vision:NoSchedule (--toleration team=vision:NoSchedule)
gpu-4  not offered         0  no           -
  the node has a GPU, but no device plugin offers nvidia.com/gpu
gpu-5             8       0  no           NVIDIA-H200
  it is not ready
web-1             -       0  no           -
  no GPU
waits  ml/train-1: 0/6 nodes are available: 6 Insufficient nvidia.com/gpu.
2 pods with 8 GPUs each: 1 would be scheduled
END
equal "the table" "$(tr -s ' ' <expected)" "$(tr -s ' ' <<<"$out")"
# A narrow terminal loses nothing; lines are wrapped between words.
narrow=$(on_terminal bash -c "stty cols 60; '$RV' accept --kubernetes --check --nodes 2 --gpus-per-node 8" || true)
narrow=$(tr -d '\r' <<<"$narrow" | tr -s ' \n' ' ')
contains "the option to type" "taint team=vision:NoSchedule (--toleration team=vision:NoSchedule)" "$narrow"
contains "the whole reason" "the node has a GPU, but no device plugin offers nvidia.com/gpu" "$narrow"
lacks "something cut" "…" "$narrow"
exits 0 kubernetes --check --nodes 2 --gpus-per-node 8 --toleration team=vision:NoSchedule
contains "with the taint tolerated" "2 pods with 8 GPUs each: 2 would be scheduled" "$out"
exits 0 kubernetes --check --nodes 2 --gpus-per-node 6
exits 120 kubernetes --check --node-selector nvidia.com/gpu.product=NVIDIA-B200
contains "another model" "label nvidia.com/gpu.product is NVIDIA-H200, not NVIDIA-B200" "$out"

# The same from saved output of kubectl; without rights on pods the use of GPUs is unknown.
kubectl get nodes,pods -A -o json >saved.json
exits 120 kubernetes --check --nodes 2 --from saved.json --json
says "the document" 'd["fits"] is False and d["would_take"] == 1 and d["nodes"][1]["used"] == 2' "$work/out"
says "taints" 'd["nodes"][2]["taints"] == ["nvidia.com/gpu=present:NoSchedule", "team=vision:NoSchedule"]' "$work/out"
touch server/forbidden-pods
exits 0 kubernetes --check --nodes 2
contains "pods that can't be seen" "the GPUs in use are unknown" "$out"
touch server/forbidden-nodes
exits 125 kubernetes --check
contains "nodes that can't be seen" "nodes is forbidden" "$err"
exits 2 kubernetes --check --from nowhere.json
echo '{}' >empty.json
exits 2 kubernetes --check --from empty.json
contains "no list" "is not a Kubernetes list" "$err"
