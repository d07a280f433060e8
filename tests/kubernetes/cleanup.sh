#!/usr/bin/env bash
# rv accept --kubernetes --cleanup removes only objects that rv made and that ended long enough ago.
# shellcheck source=tests/kubernetes/lib.sh
source "$(dirname "$0")/lib.sh"

serve kubernetes-1.33.json jobset-v0.8.1.json pytorchjob-v1.9.3.json
: >all.yaml
for name in old new going; do
  { echo ---; kubernetes --nodes 2 --image rv-workers --name "$name" 2>/dev/null; } >>all.yaml
done
{ echo ---; kubernetes --nodes 2 --image rv-workers --name set --operator jobset 2>/dev/null; } >>all.yaml
# Similar objects of others: without labels, with one of the labels, with another name.
cat >>all.yaml <<'END'
---
{apiVersion: v1, kind: Secret, metadata: {name: theirs}}
---
{apiVersion: v1, kind: Secret, metadata: {name: half, labels: {app.kubernetes.io/managed-by: rv}}}
---
{apiVersion: v1, kind: Secret, metadata: {name: other, labels: {app.kubernetes.io/managed-by: helm, app.kubernetes.io/name: rv-accept, app.kubernetes.io/instance: old}}}
END
kubectl apply -f all.yaml >/dev/null
jobs=/apis/batch/v1/namespaces/gpu-tests/jobs
ended() { printf '{"status":{"conditions":[{"type":"%s","status":"True","lastTransitionTime":"%s"}]}}' "$1" "$2"; }
the_server PATCH "$jobs/old" "$(ended Failed 2026-01-01T00:00:00Z)" >/dev/null
the_server PATCH "$jobs/new" "$(ended Complete "$(date -u +%Y-%m-%dT%H:%M:%SZ)")" >/dev/null
the_server PATCH /apis/jobset.x-k8s.io/v1alpha2/namespaces/gpu-tests/jobsets/set "$(ended Completed 2026-01-01T00:00:00Z)" >/dev/null
for object in secrets/old services/old secrets/set; do
  made='{"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z"}}'
  the_server PATCH "/api/v1/namespaces/gpu-tests/$object" "$made" >/dev/null
done

exits 0 kubernetes --cleanup --dry-run
contains "what would go" "job/old  gpu-tests  ended" "$out"
contains "how much" "would remove 5 of" "$err"
[ ! -e server/removed ] || fail "a dry run removed something"

exits 0 kubernetes --cleanup
equal "what went" "gpu-tests/jobs/old gpu-tests/jobsets/set gpu-tests/secrets/old gpu-tests/secrets/set gpu-tests/services/old" \
  "$(sort server/removed | xargs)"
equal "names that were printed" 5 "$(wc -l <"$work/out")"
equal "secrets that stay" "secret/going secret/half secret/new secret/other secret/theirs" \
  "$(kubectl get secrets -o name | sort | xargs)"
exits 0 kubernetes --cleanup
equal "nothing is left to do" "" "$out"

# Younger ones are removed on request; running ones never.
exits 0 kubernetes --cleanup --older-than 1s --json
says "new" '{(r["kind"], r["name"]) for r in d["removed"]} >= {("job", "new")}' "$work/out"
says "going" '{k["name"] for k in d["kept"]} == {"going"}' "$work/out"

# A kind that can't be seen may have what the rest belongs to.
touch server/forbidden-jobs
exits 125 kubernetes --cleanup --older-than 1s
contains "jobs that can't be seen" "nothing was removed" "$err"

# A cluster without the operators has no jobs of theirs.
serve kubernetes-1.33.json
exits 0 kubernetes --cleanup
exits 2 kubernetes --cleanup --namespace 'A b'
