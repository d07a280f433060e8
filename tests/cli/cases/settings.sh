#!/usr/bin/env bash
# Prices, the cost factor and avoided partitions are read from the settings.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'gpus: [{name: a40, su_per_gpu_hour: 10}]\nsu_factor: 3\n' > "$RV_SITE"
exits 0 rv plan --cluster "$cluster" -g 2 -t a40 --time 30m --json
says JSON 'd["strategies"][0]["cost_su"] == 30' "$work/out"
printf 'su_factor: 1\n' > "$RV_HOME/config.yaml"
runs rv plan --cluster "$cluster" -g 2 -t a40 --time 30m --json
says JSON 'd["strategies"][0]["cost_su"] == 10' "$work/out"
printf 'avoid_partitions: [gpu-v100]\n' > "$RV_HOME/config.yaml"
exits 0 rv plan --cluster "$cluster" -g 2 --time 30m
contains stdout 'v100: partition gpu-v100 is avoided by your settings' "$out"
runs rv plan --cluster "$cluster" -g 2 --time 30m --json
says JSON 'all(s["partition"] != "gpu-v100" for s in d["strategies"])' "$work/out"
exits 0 rv plan --cluster "$cluster" -g 2 --time 30m --partition gpu-v100 --json
says JSON '{s["partition"] for s in d["strategies"]} == {"gpu-v100"}' "$work/out"
# Without USER (cron jobs, containers) the name comes from the system.
# shellcheck disable=SC2016
printf 'scratch: /scratch/$USER/x\n' > "$RV_HOME/config.yaml"
env -u USER -u LOGNAME "$RV" render --cluster "$cluster" > "$work/out" 2> "$work/err"
code=$?
out=$(<"$work/out")
err=$(<"$work/err")
equal "exit code" 0 "$code"
contains stdout "/scratch/$(id -un)/x" "$out"
# The whole list is in settings_test.cpp.
printf 'fanout: 2\nfannout: 3\n' > "$RV_HOME/config.yaml"
exits 2 rv plan --cluster "$cluster"
equal stderr "rv: error: $RV_HOME/config.yaml:2: unknown key \"fannout\"; did you mean \"fanout\"?
hint: known keys: scratch, fanout, head_start, …" "${err/, time,*/, …}"
rm "$RV_HOME/config.yaml" "$RV_SITE"
exits 2 rv plan --cluster "$cluster"
contains stderr 'RV_SITE names it' "$err"
unset RV_SITE RV_HOME
HOME='' exits 2 rv plan --cluster "$cluster"
contains stderr 'neither RV_HOME nor HOME is set' "$err"
