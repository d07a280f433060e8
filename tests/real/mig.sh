#!/usr/bin/env bash
# rv up --mig gets one MIG slice within the site's limit of two CPUs, and a request without --mig never gets a slice.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

exits 0 rv run -f --mig --time 10m bash -c 'echo "$SLURM_JOB_PARTITION $SLURM_CPUS_ON_NODE"'
equal "partition and CPUs" "gpu-mig 1" "$out"
exits 0 rv plan -g 1 --time 10m --json
[[ "$out" != *'"kind": "mig"'* ]] || fail "a slice is offered without --mig or --vram"
exits 0 rv plan -g 1 --vram 8G --time 10m --json
contains "plan with --vram 8G" '"kind": "mig"' "$out"
exits 2 rv plan -g 2 --mig --time 10m
contains "error" "one slice" "$err"
