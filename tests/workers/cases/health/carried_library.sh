#!/usr/bin/env bash
# A library beside the worker is preferred to that of the CUDA toolkit.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

[ "$RV_SKIP_REASON" != no_cuda_build ] || exit 0
mkdir -p carried/lib
cp "$RV" carried/rv-health
g++ -shared -fPIC -x c++ -o carried/lib/libnccl.so.2 - <<<'extern "C" int ncclGetVersion(int* v) { *v = 29907; return 0; }'
RV=$work/carried/rv-health LD_LIBRARY_PATH='' exits 77 worker
has_line stdout '^nccl 2.99.7$' "$out"
has_line stdout "^loaded: $work/carried/lib/libnccl.so.2$" "$out"
