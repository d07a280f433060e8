# A batch that does not fit the memory of one GPU ends with its own exit code and names a size that fits; that size trains and
# leaves little memory unused.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
# A batch that does not fit ends with a code of its own and names one that does; that one trains, and leaves little unused.
fitting resnet50 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50
fitting transformer env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model transformer
