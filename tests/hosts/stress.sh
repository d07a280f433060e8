#!/usr/bin/env bash
# rv stress --hosts on three hosts judges all workers together and runs the launcher on each host. Ctrl-C, a lost host and a
# killed rv leave nothing.
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir "$work/workers"
cp "$(dirname "$RV")"/../workers/rv-stress "$work/workers"
# shellcheck disable=SC2034 # for make_hosts
hidden=h3
make_hosts 3
stress() { "$RV" stress --hosts h1,h2,h3 --worker-folder "$work/workers" --device cpu --reference 0 "$@"; }

exits 0 stress --duration 1s --workers 2 --report-dir report --junit junit.xml
contains "the verdict" "workers that passed: 6 of 6" "$out"
contains "who has the workers" "rv: h1, h2: use the workers in $work/workers" "$err"
contains "who gets them" "rv: h3: workers copied into a private folder" "$err"
says nodes 'd["verdict"] == "pass" and sorted(n["node"] for n in d["nodes"]) == ["h1", "h2", "h3"]' report/stress.json
for file in report/stress.html junit.xml; do [ -s "$file" ] || fail "no $file"; done
exits 0 "$RV" stress --judge "$(echo "$RV_HOME"/stress/*)"
contains "judged again" "6 of 6" "$out"
left_clean h1 h2 h3

# The user's launcher, in the folder of the call; afterwards nothing is kept.
rm -r "$RV_HOME/stress"
printf '#!/bin/sh\necho "No GPUs detected"\n' >launch
chmod +x launch
exits 0 stress --skip-stress --launch ./launch --cleanup --json
says launches 'd["verdict"] == "pass" and len(d["nodes"]) == 3 and all(n["launches"][0]["exit_code"] == 0 for n in d["nodes"])' "$work/out"
[ ! -e "$RV_HOME/stress" ] || fail "--cleanup leaves $(ls "$RV_HOME/stress")"
chmod -x launch
exits 126 stress --skip-stress --launch ./launch
contains "which host" "h1: --launch: ./launch can't be executed" "$err"
exits 4 stress --memory 1T
contains "which host" "h1: 2 workers on the host need" "$err"
left_clean h1 h2 h3

# What can't be is two lines, and starts nothing.
refuses() {
  local code=$1 words=$2
  shift 2
  exits "$code" "$RV" stress --worker-folder "$work/workers" "$@"
  contains "the error for $*" "$words" "$err"
  equal "lines of the error for $*" 2 "$(grep -c . <<<"$err")"
}
refuses 2 "--hosts and --local can't be combined" --hosts h1 --local
refuses 2 "--hosts and --gpu can't be combined" --hosts h1 -g 4
refuses 2 "--hosts and --detach can't be combined" --hosts h1 --detach
refuses 2 "h1 is named twice" --hosts h1,h1
refuses 2 "h1 and 10.77.0.11 are one host under two names" --hosts h1,h2,10.77.0.11 --device cpu
refuses 119 "the address of nowhere.invalid is unknown" --hosts h1,nowhere.invalid
exits 0 stress --dry-run --json
says "a dry run" 'd["command"][0] == "rv-stress" and "--duration" in d["command"]' "$work/out"
[ ! -e "$RV_HOME/stress" ] || fail "a folder is left: $(ls "$RV_HOME/stress")"
left_clean h1 h2 h3

# begin_stress: until it works on all of them.
begin_stress() {
  local host
  in_background "$RV" stress --hosts h1,h2,h3 --worker-folder "$work/workers" --device cpu --duration 10m --reference 0 --workers 2
  rv=$!
  for host in h1 h2 h3; do
    wait_for 30 runs_on "$host" rv-stress || fail "rv-stress does not begin on $host"
  done
}
begin_stress
kill -INT "$rv"
ends 130 20
[ ! -e "$RV_HOME/stress" ] || fail "a folder is left: $(ls "$RV_HOME/stress")"

begin_stress
kill_sshd h2
ends 3 20
contains "who it was" "h2: its script has ended" "$out"
lacks "a fault of the others" "was killed by" "$out"
start_sshd h2 10.77.0.12

# More slots than GPUs.
make_host gpus 10.77.0.50 CUDA_VISIBLE_DEVICES=4,5,6
refuses 2 "gpus has 3 GPUs, but 4 slots were requested" --hosts gpus:4
left_clean h1 gpus
