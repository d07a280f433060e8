#!/usr/bin/env bash
# rv accept queries the cluster once, even if it must first find the size of the nodes, and rejects wrong options.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
mkdir workers
for worker in health compute collective train; do
  printf '#!/bin/sh\n' > "workers/rv-$worker"
  chmod +x "workers/rv-$worker"
done
# Its help tells its own defaults, not those of rv run.
runs rv accept --help
for text in "of all nodes together (default: all)" "number of nodes (default: 1)" "all or two-nodes (default: all)" "(default: 30m, with --full 2h;"; do
  contains stdout "$text" "$out"
done
lacks stdout '(2:59:00)' "$out"
lacks stdout 'number of GPUs (default: 1)' "$out"
# What comes on stdin can be read no second time.
exits 0 with_input "$cluster" rv accept --cluster - --worker-folder "$PWD/workers" --dry-run --json
says JSON 'd["request"]["gpus"] > 1 and d["request"]["nodes"] == 1 and d["request"]["time_s"] == 1800' "$work/out"
says JSON 'all(s["gpus_per_node"] == d["request"]["gpus"] for s in d["strategies"]) and d["strategies"]' "$work/out"
whole=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["request"]["gpus"])' "$work/out")
runs rv accept --cluster "$cluster" --worker-folder "$PWD/workers" --nodes 2 --dry-run --json
says JSON "d['request']['gpus'] == 2 * $whole and d['request']['nodes'] == 2" "$work/out"
runs rv accept --cluster "$cluster" --worker-folder "$PWD/workers" --gpus-per-node 1 --nodes 2 --time 1h --dry-run --json
says JSON 'd["request"]["gpus"] == 2 and d["request"]["time_s"] == 3600 and d["request"]["splits"] == "all"' "$work/out"
exits 2 rv accept --cluster "$cluster" --gpu 3 --nodes 2 --dry-run
contains stderr '--gpu 3 can' "$err"
exits 2 rv accept --cluster "$cluster" --gpu 2 --gpus-per-node 2 --dry-run
contains stderr '--gpu and --gpus-per-node can' "$err"
exits 2 rv accept --judge workers/rv-train
contains stderr '--judge workers/rv-train is a file' "$err"
contains stderr 'rv accept --kubernetes --judge FILE' "$err"
# The name of an earlier release.
exits 0 rv accept --cluster "$cluster" --workers "$PWD/workers" --dry-run
contains stderr 'rv: --workers of rv accept is now --worker-folder' "$err"
# The files that it names are looked at before anything is asked of the cluster or started, and nothing is left of that.
mkdir bin
cat >bin/sbatch <<S
#!/bin/sh
echo "\$0 \$*" >>$PWD/called
exit 1
S
chmod +x bin/sbatch
for name in sinfo scontrol squeue sacctmgr; do cp bin/sbatch "bin/$name"; done
echo 'wrong: [' >broken.yaml
echo '- {gpu: x, colour: red}' >unknown.yaml
refuses() { # WORD: it names the option, then what is said of it
  for place in --local '--nodes 1 -t a40' '--hosts h1'; do
    # shellcheck disable=SC2086 # several arguments
    exits 2 env "PATH=$PWD/bin:$PATH" "$RV" accept $place --gpus-per-node 1 --worker-folder "$PWD/workers" "${@:2}"
    contains stderr "$1" "$err"
    contains stderr 'hint: ' "$err"
  done
  [ ! -e called ] || fail "Slurm was asked: $(<called)"
  [ -z "$(ls "$RV_HOME")" ] || fail "something was begun: $(ls "$RV_HOME")"
}
refuses '--baseline: can'"'"'t read "/no/such.yaml"' --baseline /no/such.yaml
refuses "--baseline: can't read \"$PWD\"" --baseline "$PWD"
refuses 'broken.yaml' --baseline broken.yaml
refuses 'colour' --baseline unknown.yaml
refuses "--report-dir \"/proc/x\": /proc/x can't be made: " --report-dir /proc/x
refuses '--report-dir "broken.yaml/x": ' --report-dir broken.yaml/x
refuses '--save-baseline "/no/such/x": expected a file in an existing folder' --save-baseline /no/such/x
refuses "--save-baseline \"$PWD\": expected a file, not a folder" --save-baseline "$PWD"
refuses "--save-baseline \"/proc/x\": /proc can't be written to: " --report-dir new/one --save-baseline /proc/x
[ ! -e new ] || fail "a folder was made for nothing"
# A tier chooses the suites and their length; prolog stays on this node, inside a job of several nodes too.
exits 0 env SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=4 "$RV" accept --local --tier prolog --gpus-per-node 4 --dry-run
contains prolog health-before "$out"
lacks prolog compute "$out"
lacks "one node" "of all nodes" "$out"
exits 0 rv accept --local --tier pre-job --gpus-per-node 1 --dry-run
contains pre-job compute "$out"
lacks "one GPU has no pairs" p2p "$out"
exits 0 rv accept --local --tier preflight --gpus-per-node 2 --dry-run
contains preflight "--ops all_reduce --begin 128M --end 128M" "$out"
exits 0 rv accept --local --tier weekly --gpus-per-node 4 --dry-run
contains weekly resnet50 "$out"
contains "the longer measurements" "compute-link" "$out"
exits 2 rv accept --local --tier prologue
contains stderr '--tier "prologue": expected a tier; did you mean "prolog"?' "$err"
contains stderr 'the tiers are prolog, preflight, pre-job, idle, weekly' "$err"
exits 2 rv accept --local --tier idle --full
contains stderr "--tier and --full can't be combined" "$err"
