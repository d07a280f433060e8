#!/usr/bin/env bash
# The real kubectl accepts rv's manifests, by its own validation and by the schemas of several Kubernetes releases.
# shellcheck source=tests/kubernetes/lib.sh
source "$(dirname "$0")/lib.sh"

order=(--nodes 4 --gpus-per-node 8 --image registry.example/team/rv-workers:1.0)
# shellcheck disable=SC2016 # nobody is to expand it
all=(--rdma rdma/hca_shared_devices_a=1 --cpus 32 --mem 256G --shm 16G --ttl 30m --pull-secret registry --time 45m
  --node-selector nvidia.com/gpu.product=NVIDIA-H200 --toleration team=a:NoSchedule --toleration spot --env 'NCCL_DEBUG=INFO'
  --env 'ODD=yes: "#$(x)')

# A key that the schema lacks: kubectl must report it, otherwise its success proves nothing.
serve kubernetes-1.33.json jobset-v0.8.1.json pytorchjob-v1.9.3.json
kubernetes "${order[@]}" --name rv-typo 2>/dev/null | sed 's/backoffLimit/backofLimit/' >typo.yaml
exits 1 kubectl apply -f typo.yaml
matches "a typo" 'unknown field .*backofLimit' "$err"
exits 1 kubectl apply --validate=false -f typo.yaml
contains "the server's own check" "backofLimit: the schema has no such name" "$err"

# serves KUBERNETES JOBSET PYTORCHJOB WORD: one release of each, and what kubectl is to do.
serves() {
  serve "kubernetes-$1.json" "jobset-$2.json" "pytorchjob-$3.json"
  : >all.yaml
  for by in job jobset pytorchjob; do
    for more in least most; do
      local words=("${order[@]}" --operator "$by" --name "rv-$by-$more" --namespace gpu-tests)
      [ "$more" = least ] || words+=("${all[@]}")
      { echo ---; kubernetes "${words[@]}" 2>/dev/null; } >>all.yaml || fail "rv: $by, $more"
    done
  done
  exits 0 kubectl "$4" -f all.yaml
  lacks "Kubernetes $1" "arning" "$err"
  for by in job jobset pytorchjob; do
    for more in least most; do
      matches "Kubernetes $1: $by" "${by}[^ ]*/rv-$by-$more created" "$out"
    done
  done
  equal "objects of Kubernetes $1" 14 "$(wc -l <"$work/out")"
}
serves 1.29 v0.5.2 v1.5.0 create
serves 1.36 v0.11.1 v1.9.3 apply
serves 1.33 v0.8.1 v1.7.0 create

# YAML and JSON are the same to kubectl, byte for byte in every string.
kubernetes "${order[@]}" "${all[@]}" --name rv-both >both.yaml 2>both.err
contains "what comes next" "rv accept --kubernetes --collect rv-both" "$(<both.err)"
kubernetes "${order[@]}" "${all[@]}" --name rv-both --json >both.json 2>/dev/null
kubectl create --dry-run=client -o json -f both.yaml >from_yaml.json
kubectl create --dry-run=client -o json -f both.json >from_json.json
python3 - <<'END' || fail "YAML and JSON differ"
import json
def documents(path):
    text, found, at = open(path).read(), [], 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, end = json.JSONDecoder().raw_decode(text[at:])
        found += value.get("items", [value])
        at += end
    for one in found:
        one.get("stringData", {}).pop("token", None)  # a new secret each time
    return found
a, b = documents("from_yaml.json"), documents("from_json.json")
assert len(a) == 3 and a == b, (len(a), len(b))
pod = a[2]["spec"]["template"]["spec"]["containers"][0]
assert [v["value"] for v in pod["env"] if v["name"] == "ODD"] == ['yes: "#$$(x)'], pod["env"]
assert pod["resources"]["limits"] == {"nvidia.com/gpu": "8", "rdma/hca_shared_devices_a": "1", "memory": "262144Mi"}, pod
END

# The ranks' secret is another one each time, and on no command line.
kubernetes "${order[@]}" --name rv-a --json >one.json 2>/dev/null
kubernetes "${order[@]}" --name rv-a --json >two.json 2>/dev/null
! cmp -s one.json two.json || fail "two orders have one secret"
says "the secret" 'len(d["items"][0]["stringData"]["token"].strip()) == 32' one.json
says "the secret's place" 'd["items"][0]["stringData"]["token"].strip() not in str(d["items"][1:])' one.json

# Options that no manifest supports are refused: two lines with a hint, nothing on stdout.
refused() {
  local part=$1
  shift
  exits 2 kubernetes "$@"
  contains "the refusal" "$part" "$err"
  equal "lines of the error ($part)" 2 "$(wc -l <"$work/err")"
  [ -z "$out" ] || fail "a manifest was begun: $part"
}
refused '--namespace "a?---?kind: Pod": expected a valid namespace' "${order[@]}" --namespace $'a\n---\nkind: Pod'
refused '--image "x; rm -rf /": expected a valid image' --image 'x; rm -rf /'
refused '--name "Monday": expected a valid name of a job in Kubernetes' "${order[@]}" --name Monday
refused '--node-selector "a b": expected a valid key of a label' "${order[@]}" --node-selector 'a b=c'
refused '--node-selector "b/c": expected a valid value of a label' "${order[@]}" --node-selector 'a=b/c'
refused '--node-selector "a": expected a name, "=" and a value' "${order[@]}" --node-selector a
refused '--toleration "a=b:NoSchedul": expected an effect after ":"; did you mean "NoSchedule"?' "${order[@]}" --toleration a=b:NoSchedul
refused '--rdma "hca": expected a valid resource' "${order[@]}" --rdma hca
refused '--rdma' "${order[@]}" --rdma rdma/hca=many
refused '--gpu-resource "gpu": expected a valid resource' "${order[@]}" --gpu-resource gpu
refused '--env "A-B": expected a valid name of a variable' "${order[@]}" --env A-B=c
for name in RANK WORLD_SIZE MASTER_ADDR RV_POD; do refused "--env $name: this variable is already set in every pod" "${order[@]}" --env $name=5; done
refused '--env A: it is given twice' "${order[@]}" --env A=1 --env A=2
refused '--pull-secret' "${order[@]}" --pull-secret 'A B'
refused '--operator "jobsets": expected job, jobset or pytorchjob; did you mean "jobset"?' "${order[@]}" --operator jobsets
refused 'needs the image' --nodes 2
refused "--partition and --kubernetes can't be combined" "${order[@]}" --partition gpu
refused "--container and --kubernetes can't be combined" "${order[@]}" --container IMAGE
refused "--check, --cleanup, --collect and --judge can't be combined" --check --cleanup
refused '--older-than needs --cleanup' "${order[@]}" --older-than 1h
refused '--from needs --check' "${order[@]}" --from x
exits 2 "$RV" accept --namespace a
contains "an option of Kubernetes alone" "--kubernetes" "$err"
