#!/usr/bin/env bash
# Prices, factor and avoided partitions come from the settings.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'gpus: [{name: a40, su_per_gpu_hour: 10}]\nsu_factor: 3\n' > "$RV_SITE"
rv plan --cluster "$cluster" -g 2 -t a40 --time 30m --json
expect_code 0
json "$scratch/out" 'd["strategies"][0]["cost_su"] == 30'
printf 'su_factor: 1\n' > "$RV_HOME/config.yaml"
rv plan --cluster "$cluster" -g 2 -t a40 --time 30m --json
json "$scratch/out" 'd["strategies"][0]["cost_su"] == 10'
printf 'avoid_partitions: [gpu-v100]\n' > "$RV_HOME/config.yaml"
rv plan --cluster "$cluster" -g 2 --time 30m
expect_code 0
out_has 'v100: partition gpu-v100 is avoided by your settings'
rv plan --cluster "$cluster" -g 2 --time 30m --json
json "$scratch/out" 'all(s["partition"] != "gpu-v100" for s in d["strategies"])'
rv plan --cluster "$cluster" -g 2 --time 30m --partition gpu-v100 --json
expect_code 0
json "$scratch/out" '{s["partition"] for s in d["strategies"]} == {"gpu-v100"}'
# Without USER (cron jobs, containers) the name comes from the system.
# shellcheck disable=SC2016
printf 'scratch: /scratch/$USER/x\n' > "$RV_HOME/config.yaml"
env -u USER -u LOGNAME "$RV" render --cluster "$cluster" > "$scratch/out" 2> "$scratch/err"
code=$?
expect_code 0
out_has "/scratch/$(id -un)/x"
printf 'fanout: 2\nfannout: 3\n' > "$RV_HOME/config.yaml"
rv plan --cluster "$cluster"
expect_code 2
expect_err "rv: error: $RV_HOME/config.yaml:2: unknown key \"fannout\"; did you mean \"fanout\"?
hint: known keys: scratch, fanout, head_start, time, account, setup, avoid_partitions, gpus, aliases, su_factor, host, cluster_home, segment, prefer_partitions, idle_policy, idle_stop, balance, quota_command, workers, accept_baselines, stress_messages, container, build_on_node, gpu_curves, visibility_lag, sync"
rm "$RV_HOME/config.yaml" "$RV_SITE"
rv plan --cluster "$cluster"
expect_code 2
err_has 'RV_SITE names it'
unset RV_SITE RV_HOME
HOME='' rv plan --cluster "$cluster"
expect_code 2
err_has 'neither RV_HOME nor HOME is set'
