# rv-train trains on all GPUs, reports how the rate scales, and resumes training on two GPUs.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
check train_all 40 0 "$workers/rv-train"
figures train_all
check model_all 120 0 "$workers/rv-train" --model resnet50 --batch-size 64 --deadline 90
figures model_all samples/s
check model_scaling 180 0 "$workers/rv-train" --model transformer --scaling --results model_scaling.json --deadline 90
row model_scaling_sound sound model_scaling.json "$gpus"
figures model_scaling samples/s
fitting all "$workers/rv-train" --model resnet50
resumed two env CUDA_VISIBLE_DEVICES=0,1 "$workers/rv-train" --gpus 2 --model resnet18 --batch-size 16 --json --deadline 90
