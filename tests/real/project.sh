#!/usr/bin/env bash
# A project's environment is found or built before submission, and is active on every node, in segments, array elements and
# shells. If it can't be built, nothing is submitted.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

wheel() { python3 "$root/tests/project/make_wheel.py" "$@"; }
# A package that replaces PyTorch, with its launcher.
wheel wheels torch 2.10.0 --program torchrun
printf '%s\n' --no-index '--find-links wheels' torch >requirements.txt
cat >check.py <<'P'
import os, sys, torch
print(torch.version, os.environ["VIRTUAL_ENV"] == sys.prefix, os.environ["PYTHONNOUSERSITE"], *sys.argv[1:])
P

# What can't be made submits nothing.
printf '%s\n' "environment: {from: requirements.txt, setup: ['echo no compiler here; exit 3']}" >.rv.yaml
exits 0 rv deps --trust-project
exits 125 rv run -g 1 --mig --time 10m check.py
contains "the tool's own words" "no compiler here" "$err"
equal "runs" 0 "$(rv ps -a --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["runs"]))')"
equal "jobs" "" "$(squeue -h --me)"

# Behind set-up lines that change PATH themselves.
printf '%s\n' "environment: {from: requirements.txt, setup: ['export PATH=/usr/bin:\$PATH']}" >.rv.yaml
exits 0 rv deps --trust-project
exits 0 rv run -f --mig --time 10m --name check check.py
equal "the script has its packages" "2.10.0 True 1" "$out"
contains "progress" "the environment is ready after" "$err"
prefix=$(field check "['environment']['prefix']")
contains "what it used" "uses     $prefix (requirements.txt)" "$(rv show check)"

# The seed's way to type a launcher; it comes from the project's environment.
exits 0 rv run "torchrun --nproc_per_node=4 check.py" -f -g 4 -t a40 --single-node --time 5m --name ddp
equal "the launcher" "torch 2.10.0 --nproc_per_node=4 check.py" "$out"
contains "which environment" "rv: environment $prefix (requirements.txt)" "$err"
exits 0 rv up --gpu 4 -t a40 --single-node --time 5m --run "torchrun --nproc_per_node=4 check.py"
equal "the launcher, by rv up" "torch 2.10.0 --nproc_per_node=4 check.py" "$out"

# Two nodes, two processes each.
exits 0 rv run -f -g 4 --nodes 2 --procs-per-node 2 -t a40 --time 5m check.py x
equal "in every process" 4 "$(grep -c '2.10.0 True 1 x' <<<"$out")"
# Elements of an array.
exits 0 rv run -t a40 --array 0-1 --name many --time 5m check.py
over() { [ "$(field "$1" "['over']")" = True ]; }
wait_for 60 over many || fail "the array does not end"
equal "in every element" 2 "$(cat "$RV_HOME/runs/$(field many "['id']")"/logs/*.out | grep -c '2.10.0 True 1')"
# Both segments of a chain.
cat >train.py <<'P'
import os, signal, sys, time, torch
open("seen", "a").write(f"{sys.prefix}\n")
state = os.environ["RV_CHECKPOINT_DIR"] + "/state"
if os.path.exists(state):
    sys.exit(0)
open(state, "w").write(torch.version)
sys.exit(1)
P
exits 0 rv run -f --checkpoint --time 10m --segment-time 5m -t a40 --name chain train.py
equal "the segments" 2 "$(wc -l <seen)"
equal "in both" "$prefix" "$(sort -u seen)"
# A shell on held GPUs.
exits 0 rv up --detach -t a40 --time 5m
id=$out
holding() { [ "$(field "$id" "['state']")" = holding ]; }
wait_for 30 holding || fail "does not hold"
exits 0 bash -c "echo 'python3 -c \"import torch; print(torch.version)\"' | '$RV' ssh '$id'"
contains "in a shell" 2.10.0 "$out"
exits 0 rv stop "$id"

# Environments used recently are kept; those unused for long are removed.
store=$(dirname "$(dirname "${prefix%/env}")")
touch -d '30 days ago' "${prefix%/env}/environment.json"
mkdir -p "$store/00/1" "$store/01/1" "$store/01/2"
for folder in 00/1 01/1; do
  sed 's/"made": [0-9]*/"made": 0/' "${prefix%/env}/environment.json" >"$store/$folder/environment.json"
done
ln -s 1 "$store/00/current"
ln -s 3 "$store/01/current"
touch -d '8 days ago' "$store/00/1/environment.json"
touch -d '2 days ago' "$store/01/1/environment.json" # replaced
exits 0 rv gc --dry-run --json
says "what would go" "d['environments'] == ['$store/00/1', '$store/01/1']" "$work/out"
exits 0 rv gc
contains "what goes" "$store/00/1  environment that no run needs" "$out"
equal "what is left" "$store/01/2 ${prefix%/env}" "$(find "$store" -mindepth 2 -maxdepth 2 -type d | sort | paste -sd' ')"

exits 0 rv run -f --no-deps -t a40 --time 5m 'python3 -c "import torch" 2>/dev/null || echo without'
equal "--no-deps" without "$out"

# Built in its own job, on one GPU as the run wants them; what fails there submits nothing else.
printf '%s\n' "environment: {from: requirements.txt, setup: ['export PATH=/usr/bin:\$PATH ON_NODE=\$SLURM_JOB_ID'], \
build_on_node: true, build_time: 5m}" >.rv.yaml
exits 0 rv deps --trust-project
exits 0 rv run -f -g 2 -t a40 --single-node --time 5m --name on_node check.py
equal "the script has its packages" "2.10.0 True 1" "$out"
contains "the build" "rv: preparing the environment of requirements.txt" "$err"
equal "its GPUs" 1 "$(field environment "['candidates'][0]['gpus']")"
exits 0 rv run -f -t a40 --time 5m check.py
lacks "what is made" preparing "$err"
printf '%s\n' "environment: {from: requirements.txt, build_on_node: true, setup: ['[ -z \"\$SLURM_JOB_ID\" ] || { echo no compiler; exit 3; }']}" >.rv.yaml
exits 0 rv deps --trust-project
before=$(rv ps -a --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["runs"]))')
exits 125 rv run -t a40 --time 5m check.py
contains "the tool's own words" "no compiler" "$err"
contains "what it was" "could not be built on a node" "$err"
equal "runs" $((before + 1)) "$(rv ps -a --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["runs"]))')"
# Two at once: one builds, the other waits for it.
printf '%s\n' "environment: {from: requirements.txt, setup: ['sleep 2; true'], build_on_node: true}" >.rv.yaml
exits 0 rv deps --trust-project
rv run -f -t a40 --time 5m check.py >"$work/one" 2>&1 &
exits 0 rv run -f -t a40 --time 5m check.py
wait $!
equal "built" 1 "$(cat "$work/one" "$work/err" | grep -c 'preparing the environment')"
equal "waited" 1 "$(cat "$work/one" "$work/err" | grep -c 'waiting for it')"
rm .rv.yaml

# An environment whose interpreter is not on the node is reported before the command begins.
python3 -m venv --without-pip .venv
printf '%s\n' 'environment: {from: .venv, setup: [rm -f .venv/bin/python]}' >.rv.yaml
exits 0 rv deps --trust-project
exits 1 rv run -f -t a40 --time 5m echo begun
contains "why" "has no Python that starts on" "$err"
[[ $out != *begun* ]] || fail "the command began without its environment"
