#!/usr/bin/env bash
# Nodes on which runs failed: recorded once each, avoided from the second fault on, used again after --forget or good runs, and never
# blamed for a command that fails everywhere.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

fault='echo "NVRM: Xid (PCI:0000:17:00): 79, GPU has fallen off the bus." >&2; exit 1'
bad=udc-an34-1 good=udc-an34-2
fail_on() { exits 1 rv run -f -g 1 -t a100_40 -w "$1" --time 5m --name "$2" "$fault"; }
of_node() { rv nodes "$1" --json | python3 -c "import json,sys; print(json.load(sys.stdin)['nodes'][0]$2)"; }

exits 0 rv nodes
contains "no record" "no run of the last 14 days failed because of a node" "$(rv nodes 2>&1)"

# A command's own error says nothing about its node.
exits 3 rv run -f -g 1 -t a100_40 -w "$bad" --time 5m --name own 'exit 3'
contains "a command's error" "no run of the last 14 days" "$(rv nodes 2>&1)"

fail_on "$bad" one
equal "one fault" "False 1.0 gpu_hardware" "$(of_node "$bad" "['avoided']") $(of_node "$bad" "['weight']") $(of_node "$bad" "['faults'][0]['cause']")"
contains "evidence" "GPU has fallen off the bus" "$(rv nodes "$bad")"
contains "plan with one fault" '"nodes": []' "$(rv plan -g 1 -t a100_40 --json)"
equal "the folder's mode" 700 "$(stat -c %a "$RV_HOME/node-events")"
equal "its mode" 600 "$(stat -c %a "$RV_HOME"/node-events/*@*)"

# Several clients see the same end: it is one fault.
rv run -g 1 -t a100_40 -w "$bad" --time 5m --name two "$fault" >/dev/null 2>&1
for _ in 1 2 3; do rv wait two >/dev/null 2>&1 & done
wait
equal "two faults" "True 2.0 2" "$(of_node "$bad" "['avoided']") $(of_node "$bad" "['weight']") $(rv nodes "$bad" --json | grep -c '"run"')"
contains "table" "avoid it" "$(rv nodes)"
contains "plan" "$bad is avoided (2 faults in 7 days)" "$(rv plan -g 1 -t a100_40)"
contains "plan's JSON" "\"$bad\"" "$(rv plan -g 1 -t a100_40 --json | grep -A3 avoided_nodes)"
contains "a start's note" "$bad is avoided" "$(rv run -f -g 1 -t a100_40 --time 5m --name elsewhere 'echo "$SLURMD_NODENAME" >where' 2>&1)"
equal "where it ran" "$good" "$(cat where)"
contains "submitted with" "--exclude=$bad" "$(cat "$RV_HOME"/runs/*/candidates/1/script.sh | grep -- --exclude)"

# The user's word counts more, and so does the need for it.
lacks "named by the user" "is avoided" "$(rv plan -g 1 -w "$bad")"
contains "needed" "nothing else fits, so it is not avoided" "$(rv plan -g 16 -t a100_40)"
lacks "a test of nodes" "is avoided" "$(rv accept --dry-run -g 1 -t a100_40 2>&1)"

# For the administrators, as it is, and after the repair.
contains "report" "scontrol update NodeName=$bad State=DRAIN Reason=" "$(rv nodes --report "$bad")"
exits 2 rv nodes "${bad%1}9"
contains "unknown node" "did you mean \"$bad\"" "$(rv nodes "${bad%1}9" 2>&1 || true)"
exits 2 rv nodes --forget
exits 2 rv nodes 'n[1-'
sleep 1 # the fault that follows is of a later second
exits 0 rv nodes --forget "$bad"
contains "forgotten" '"nodes": []' "$(rv plan -g 1 -t a100_40 --json)"
contains "no record after it" "no run of the last 14 days" "$(rv nodes 2>&1)"
sleep 1

# A run that ends well there halves what was.
fail_on "$bad" three
fail_on "$bad" four
equal "two new faults" "True" "$(of_node "$bad" "['avoided']")"
exits 0 rv run -f -g 1 -t a100_40 -w "$bad" --time 5m --name fine true
equal "after a good run" "False 1.0 1" "$(of_node "$bad" "['avoided']") $(of_node "$bad" "['weight']") $(of_node "$bad" "['successes']")"

# A command that fails alike on three nodes is the reason itself; its node of the third failure has two faults by it.
for node in "$good" udc-an36-1 udc-an36-2 udc-an36-2; do
  exits 1 rv run -f -g 1 -t a100 -w "$node" --time 5m --name broken "$fault"
done
equal "broken everywhere" "False 0.0 2" "$(of_node udc-an36-2 "['avoided']") $(of_node udc-an36-2 "['weight']") $(rv nodes udc-an36-2 --json | grep -c '"run"')"
contains "why it does not count" "its command fails on every node" "$(rv nodes udc-an36-2)"

# A folder that a group shares. What others put there is read with care.
mkdir "$work/shared"
printf 'node_memory: %s/shared\n' "$work" >>"$RV_HOME/config.yaml"
ln -s /dev/zero "$work/shared/x@udc-an28-1@00@r.1.gpu_hardware.json"
printf '[[[[' >"$work/shared/x@udc-an28-2@00@r.1.gpu_hardware.json"
contains "another folder" "no run of the last 14 days" "$(rv nodes 2>&1)"
fail_on "$good" shared
equal "in the group's folder" 1 "$(find "$work/shared" -name "*@$good@*" -type f -perm 644 | wc -l)"
equal "read there" 1.0 "$(of_node "$good" "['weight']")"

# An acceptance that fails is a fault of its node, once, however often it is judged; but not by figures that the user tries out.
tested=udc-an40-1
exits 0 rv accept --device cpu -w "$tested" --gpus-per-node 1 --suite compute --report-dir "$work/report"
id=$(rv ps -a --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["id"])')
python3 - "$work/report/accept.json" >high.yaml <<'P'
import json, sys
one = next(f for f in json.load(open(sys.argv[1]))["figures"] if f["node"] and f["unit"].endswith("/s"))
print(f'- gpu: "{one["model"]}"\n  source: wishes\n  figures: [{{figure: "{one["name"]}", value: {1000 * one["value"]}, unit: {one["unit"]}}}]')
P
exits 1 rv accept --judge "$id" --baseline high.yaml
exits 2 rv nodes "$tested"
printf 'accept_baselines: %s/high.yaml\n' "$PWD" >>"$RV_HOME/config.yaml"
exits 1 rv accept --judge "$id"
exits 1 rv accept --judge "$id"
equal "after a failed acceptance" "1.0 1" "$(of_node "$tested" "['weight']") $(rv nodes "$tested" --json | grep -c '"run"')"
contains "its evidence" "rv accept: " "$(rv nodes "$tested")"
