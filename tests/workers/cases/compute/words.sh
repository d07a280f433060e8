#!/usr/bin/env bash
# A data type that the device lacks is a skip, invalid arguments are usage errors, and a report that can't be written is an
# error.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 77 worker --device cpu --quick --size 64 --suite gemm --types fp32,bf16
has_line stdout 'type_not_supported' "$out"
exits 2 worker --device tpu
exits 2 worker --types int7
exits 2 worker --size 3
exits 0 worker --help
has_line stdout 'Exit codes:' "$out"
exits 3 worker --device cpu --quick --report-dir /dev/null/reports
has_line stderr 'rv-compute: ' "$err"
