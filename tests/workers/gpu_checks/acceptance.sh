# rv accept passes with the models on all GPUs.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
# Judged as an acceptance: the baselines are those of an H200, so another GPU is only compared with its equals.
: > site.yaml
check accept_models 600 0 env RV_HOME="$reports/home" RV_SITE="$reports/site.yaml" "$build/cli/rv" accept --local \
  --gpus-per-node "$gpus" --suite resnet18,resnet50,transformer --worker-folder "$workers" --report-dir "$reports/accept_models_report"
figures accept_models samples/s
row accept_models_details details_of_trainings accept_models_report/accept.json
