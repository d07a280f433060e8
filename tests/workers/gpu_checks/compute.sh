# rv-compute measures products, bandwidth and memory of one GPU, and reports what another program on the GPU does to them.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
check compute_one 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --quick --report-dir "$reports"
figures compute_one
check compute_fp64 40 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite gemm --types fp64
figures compute_fp64
check compute_load 30 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite gemm --types bf16 --duration 5 --json
has compute_load '"load":\{"samples":[0-9]{2}'
check memory_one 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite memory --quick
has memory_one 'memory_test .* pass'
# Another program has the memory: 1.5 GiB are left, of which a process's own context takes a third.
mkfifo hold
"$build/tests/workers/memory_hog" 1536 <hold >hog.out 2>hog.err &
hog=$!
exec 9>hold
row memory_taken wait_for 10 grep -q holding hog.out
check out_of_memory 60 3 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-compute" --suite gemm,bandwidth
has out_of_memory 'gpu 0 GPU-[0-9a-f-]* copy: error, out_of_memory'
check collective_out_of_memory 60 77 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-collective" --local-ranks 1 \
  --suite sweep --ops all_reduce -b 1G -e 8G
has collective_out_of_memory 'skip, no_memory'
exec 9>&-
wait "$hog"
row memory_given_back equal "the exit code of who had it" 0 $?
rm hold
check no_gpu 20 77 env CUDA_VISIBLE_DEVICES= "$workers/rv-compute" --device cuda
check collective_one 60 0 env CUDA_VISIBLE_DEVICES=0 "$workers/rv-collective" --quick --local-ranks 1 --suite sweep
