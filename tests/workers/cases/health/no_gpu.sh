#!/usr/bin/env bash
# Without a GPU rv-health skips with that reason.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 77 worker --json --report-dir reports
all_say report 'd[0]["kind"] == "environment" and d[0]["readings"] == [] and set(d[0]["versions"]) ==
  {"cuda_driver", "cuda_runtime", "cublaslt", "nccl"}' out
# The path of a loaded library is reported wherever its version is.
all_say report '(d[0]["versions"]["nccl"] is not None) == any("/libnccl.so" in file for file in d[0]["libraries"])' out
# In the same suite as for the other workers, not one of rv-health's own.
all_say report 'd[1]["suite"] == "device" and d[1]["name"] == "gpu" and d[1]["reason"] == "no_gpu" and d[1]["params"]["detail"] and d[-1]["verdict"] == "skip"' out
same_report
exits 0 worker --allow-skip
has_line stdout '\[DEVICE\]' "$out"
exits 0 worker --help
