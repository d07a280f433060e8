# The models and rv's own kernels compute the same as the host, and the training rate on one GPU is measured.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
check train_one 40 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --local-ranks 1
figures train_one
# A step of the models against the host's in double.
check network_check 180 0 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/network_check"
# rv's own kernels of attention, which are for one architecture, against the host's; beside cuDNN's.
check attention_check 60 0,77 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/attention_check"
figures attention_check 'forward|NOT OK'
check products_check 60 0,77 env CUDA_VISIBLE_DEVICES=0 "$build/tests/workers/products_check"
figures products_check 'TFLOP/s|NOT OK'
check model_one 120 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-train" --model resnet50 --batch-size 64 --deadline 90
figures model_one samples/s
