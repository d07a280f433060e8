#!/usr/bin/env bash
# Each collective operation is measured in place and out of place, in several types, and appears in the JSON lines and in the
# text report.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

one=(--device cpu --quick --suite sweep --ops all_reduce -b 1K -e 1K --place out --deadline 4 --silence 3)

exits 0 worker --device cpu --local-ranks 4 --quick -b 8 -e 512 -f 64 --samples 1 --types int8,bf16,fp32 --json --report-dir reports
all_say report 'd[0]["kind"] == "environment" and len(d[0]["ranks"]) == 4 and d[-1]["verdict"] == "pass"' out
all_say report '{l["params"]["collective"] for l in d if l.get("suite") == "collective"} ==
  {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "alltoall", "sendrecv"}' out
all_say report 'sum(l.get("suite") == "collective" for l in d) == 3 * 2 * (4 * 2 + 2)' out
all_say report 'all(l["value"] > 0 and l["params"]["time_us"] > 0 for l in d if l.get("suite") == "collective")' out
all_say report '[len(l["params"]["matrix"]) for l in d if l.get("suite") == "p2p"] == [4, 4]' out
all_say report '[len(l["params"]["milliseconds_by_rank"]) for l in d if l.get("suite") == "straggler"] == [4]' out
same_report
# busbw is algbw times 2(n-1)/n, algbw bytes over time.
all_say report 'all(abs(l["value"] / (l["params"]["bytes"] / l["params"]["time_us"] / 1e3) - 1.5) < 1e-9
  for l in d if l.get("params", {}).get("collective") == "all_reduce")' out

exits 0 worker "${one[@]}" --local-ranks 2
has_line stdout '\[ENV\]' "$out"
has_line stdout '\[DDP\]' "$out"
has_line stdout 'pass: 1 passed, 0 failed' "$out"
exits 0 worker "${one[@]}" --local-ranks 1
