#!/usr/bin/env bash
# The command of a pod, run here as in two pods on the host's processor: the ranks meet, write their logs, and rv judges them.
# shellcheck source=tests/kubernetes/lib.sh
source "$(dirname "$0")/lib.sh"

workers=$(realpath "$(dirname "$RV")/../workers")
cut=(--suite train --suite ddp --suite transformer --device cpu --gpus-per-node 1 --nodes 2 --image rv-workers --worker-folder "$workers" --name day)
kubernetes "${cut[@]}" --json >order.json 2>/dev/null

# pod NAME NODE INDEX: the container's command and variables, with the pod's volumes in its own folder, and the first
# pod's host name where the cluster's name service would have it.
cat >pod.py <<'END'
import json, os, re, sys
name, node, index, port = sys.argv[1:]
documents = json.load(open("order.json"))["items"]
spec = documents[-1]["spec"]["template"]["spec"]["containers"][0]
os.makedirs(f"{name}/secret", mode=0o700)
os.makedirs(f"{name}/work")
open(f"{name}/secret/token", "w").write(documents[0]["stringData"]["token"])
fields = {"spec.nodeName": node, "metadata.name": name}
environment = dict(os.environ, JOB_COMPLETION_INDEX=index)
for one in spec["env"]:
    environment[one["name"]] = one["value"].replace("$$", "$") if "value" in one else fields[one["valueFrom"]["fieldRef"]["fieldPath"]]
assert environment["MASTER_ADDR"] == "day-0.day", environment["MASTER_ADDR"]
environment.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
# Not if a folder of the checkout has that name.
words = [re.sub(r"(?<![\w.-])/rv/", os.getcwd() + f"/{name}/", w.replace("$$", "$")) for w in spec["command"]]
os.execvpe(words[0], words, environment)
END
port=$(free_port)
python3 pod.py day-1 n2 1 "$port" >day-1.log 2>&1 &
second=$!
python3 pod.py day-0 n1 0 "$port" >day-0.log 2>&1 || fail "the first pod: $(<day-0.log)"
wait "$second" || fail "the second pod: $(<day-1.log)"
contains "limits are reported" "locked memory" "$(<day-0.log)"
matches "the end" 'rv-report day day-1 n2 end [0-9]+ [0-9a-f]{64}' "$(<day-1.log)"

# The workers of both found each other, and both logs together are a whole acceptance, however their lines are mixed.
paste -d '\n' day-0.log day-1.log >mixed.log
exits 0 kubernetes --judge mixed.log --report-dir report
contains "the verdict" "pass: 2 nodes" "$out"
says "both nodes" '{f["node"] for f in d["figures"]} >= {"n1", "n2"}' report/accept.json
says "steps" '"ddp" in str(d) and d["verdict"] == "pass"' report/accept.json
says "each rank of a model" '[f["node"] for f in d["figures"] if f["suite"] == "alone"] == ["n1", "n2"]' report/accept.json
"$RV" accept --kubernetes --judge - <mixed.log >/dev/null || fail "logs on stdin"

# A truncated log is not a pass, and its pod is named.
head -c "$(($(wc -c <day-1.log) * 2 / 3))" day-1.log | cat day-0.log - >cut.log
exits 3 kubernetes --judge cut.log
contains "the cut log" "the log of pod day-1 (node n2) is incomplete: the log ends before the reports do" "$out"
grep -v ' 3 \. ' day-1.log | cat day-0.log - >gap.log
exits 3 kubernetes --judge gap.log
contains "a missing line" "is incomplete: line 3 is missing" "$out"
exits 3 kubernetes --judge day-0.log
contains "a missing node" "1 of 2 nodes" "$out"
sed 's/^rv-report day day-1 n2/rv-report day day-1 n1/' mixed.log >same.log
exits 3 kubernetes --judge same.log
contains "two pods on a node" "pods day-0 and day-1 both ran on node n1" "$out"
sed 's/"verdict":"pass"/"verdict":"skip"/' mixed.log >changed.log
exits 3 kubernetes --judge changed.log
contains "a changed line" "the checksum differs" "$out"

# Lines of any length and content arrive: here from a worker that writes extreme ones.
mkdir odd
for worker in health compute collective train; do printf '#!/bin/sh\n' >"odd/rv-$worker" && chmod +x "odd/rv-$worker"; done
cat >odd/rv-train <<'END'
#!/usr/bin/env python3
import json, sys
folder = sys.argv[sys.argv.index("--report-dir") + 1]
with open(folder + "/rv-train.odd.1.jsonl", "w") as file:
    print(json.dumps({"kind": "note", "text": "rv-report day \\ %s $HOME ü " * 900}, ensure_ascii=False), file=file)
    print(file=file)
    print("  blanks  \t  ", file=file)
    print(json.dumps({"kind": "result", "verdict": "pass"}), end="", file=file)
print("rv-report day odd-0 n1 end 0 " + 64 * "0")
print("rv-report out of the blue \xff\x00", file=sys.stderr)
END
kubernetes --suite train --device cpu --image rv-workers --worker-folder "$work/odd" --name day --json >order.json 2>/dev/null
sed -i 's/^assert.*//' pod.py
python3 pod.py odd-0 n1 0 1 >odd.log 2>&1 || fail "a pod with odd reports: $(<odd.log)"
[ "$(awk '{ if (length > most) most = length } END { print most }' odd.log)" -lt 5000 ] || fail "a line is long enough to be cut"
[ "$(grep -c ' + train/' odd.log)" -ge 5 ] || fail "a long line is in one part"
exits 3 kubernetes --judge odd.log
contains "a result without a figure" "train measured nothing" "$out"
lacks "odd reports" "incomplete" "$out"
grep -qF '{"kind": "result", "verdict": "pass"}' "$(find "$RV_HOME" -name rv-train.odd.1.jsonl)" || fail "the last line is lost"

# What is not a log of an acceptance.
exits 122 kubernetes --judge /dev/null
contains "no reports" "no report of an acceptance test was found" "$err"
exits 2 kubernetes --judge nowhere.log
sed 's/^rv-report day /rv-report eve /' day-0.log | cat mixed.log - >two.log
exits 2 kubernetes --judge two.log
contains "two acceptances" "reports of day, eve" "$err"
exits 0 kubernetes --judge two.log --name day
printf 'rv-report day day-0 n1 0 . ../../../../escaped.jsonl x\n' | cat mixed.log - >hostile.log
exits 3 kubernetes --judge hostile.log
[ -z "$(find "$work" -name 'escaped*')" ] || fail "a report left its folder"

# --collect asks kubectl for the same.
serve kubernetes-1.33.json
labels='{"app.kubernetes.io/name":"rv-accept","app.kubernetes.io/managed-by":"rv","app.kubernetes.io/instance":"day"}'
pods() {
  printf '{"items":[{"metadata":{"name":"day-0","namespace":"gpu-tests","labels":%s},"spec":{"nodeName":"n1","containers":[{"name":"mesh"},{"name":"workers"}]},"status":{"phase":"Succeeded"}},
    {"metadata":{"name":"day-1","namespace":"gpu-tests","labels":%s},"spec":{"containers":[{"name":"workers"}]},"status":%s}]}' "$labels" "$labels" "$1" >server/pods.json
}
cp day-0.log server/logs/day-0
cp day-1.log server/logs/day-1
pods '{"phase":"Succeeded"}'
exits 0 kubernetes --collect day
contains "collected" "pass: 2 nodes" "$out"
pods '{"phase":"Running"}'
exits 3 kubernetes --collect day
contains "a pod that goes on" "pod day-1 is running" "$out"
contains "the way out" "kubectl describe pods -l app.kubernetes.io/instance=day" "$out"
pods '{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":"0/3 nodes are available: 3 Insufficient nvidia.com/gpu."}]}'
exits 3 kubernetes --collect day
contains "a pod without a node" "pod day-1 was not scheduled: 0/3 nodes are available" "$out"
rm server/logs/day-1
pods '{"phase":"Failed"}'
exits 3 kubernetes --collect day
contains "a log that is gone" "pod day-1 has no log" "$out"
exits 122 kubernetes --collect eve
contains "no pods" 'found no pod of an acceptance test "eve"' "$err"
exits 2 kubernetes --collect 'a,b=c'
KUBECONFIG=$work/nowhere exits 125 kubernetes --collect day
contains "no cluster" "kubectl: The connection to the server" "$err"
lacks "a line of its log" "memcache.go" "$err"
PATH=$work/empty exits 125 "$RV" accept --kubernetes --collect day
contains "no kubectl" "kubectl was not found" "$err"
