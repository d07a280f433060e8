#!/usr/bin/env bash
# rv-collective finds a wrong result and names its rank and index.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

one=(--device cpu --quick --suite sweep --ops all_reduce -b 1K -e 1K --place out --deadline 4 --silence 3)

exits 1 worker "${one[@]}" --local-ranks 4 --inject corrupt@2:77
has_line stdout 'rank 2 \(host .*\): 1 of 256 elements are wrong, the first at index 77: expected [0-9]+, got [0-9]+$' "$out"
exits 1 worker "${one[@]}" --local-ranks 2 --inject nan@1:3
has_line stdout 'rank 1 .*: 1 of 256 elements are wrong, the first at index 3: expected .*, got -?nan' "$out"
