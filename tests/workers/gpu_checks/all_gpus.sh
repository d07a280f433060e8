# rv-compute and rv-collective pass on all GPUs at once: matrix products, memory and collectives.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
check compute_all 90 0 "$workers/rv-compute" --quick --all-at-once --report-dir "$reports"
figures compute_all
check memory_all 60 0 "$workers/rv-compute" --suite memory --quick --all-at-once
check collective_all 120 0 "$workers/rv-collective" --quick --report-dir "$reports"
figures collective_all
check all_reduce_large 60 0 "$workers/rv-collective" --suite sweep --ops all_reduce -b 128M -e 8G -f 4 --place out
figures all_reduce_large
check all_reduce_small 30 0 "$workers/rv-collective" --suite sweep --ops all_reduce -b 8 -e 8K -f 4 --place out -n 100
figures all_reduce_small
check types 60 0 "$workers/rv-collective" --suite sweep -b 1M -e 1M --types int8,int32,int64,fp16,bf16,fp32,fp64 \
  --samples 1
