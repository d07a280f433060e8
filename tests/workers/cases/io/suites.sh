#!/usr/bin/env bash
# rv-io with two ranks runs every suite: each rank by itself, both at once, the delay between them, and TCP.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

mkdir scratch home
little=(--quick --size 8M --files 50)

exits 0 worker "${little[@]}" --local-ranks 2 --folder "scratch=$work/scratch" --folder "home=$work/home" --rounds 2 --json --report-dir reports
nothing_left scratch home
same_report
all_say report 'd[0]["folders"][1]["same_as"] == "scratch" and d[0]["ranks"][1]["rank"] == 1 and d[-1]["verdict"] == "pass"' out
# fio and iperf3 on one rank and one pair, for comparison: they are not judged.
all_say report '{m["name"] for m in d if m.get("params", {}).get("by") == "fio"} == {"scratch " + n + ", by fio" for n in
  ("write", "read", "random read", "random read x16")}' out
all_say report '{m["name"].split(",")[0] for m in d if m.get("params", {}).get("by") == "iperf3"} == {"tcp 1 stream", "tcp 8 streams"}' out
all_say report 'all(m["value"] > 0 and abs(m["params"]["ratio"] - m["params"]["ours"] / m["value"]) < 1e-9 and m["verdict"] == "pass"
  for m in d if "by" in m.get("params", {}))' out
all_say report '{m["name"] for m in d if m.get("rank") == 1} == {"scratch " + n for n in
  ("write", "read", "random read", "random read x16", "create", "list", "remove")}' out
all_say report 'all(m["value"] > 0 for m in d if m.get("suite") in ("storage", "network"))' out
all_say report '[m["params"]["bytes"] for m in d if m.get("name") == "scratch write"] == [8 << 20] * 2' out
all_say report 'all(m["params"]["way"] in ("O_DIRECT", "posix_fadvise", "memory") for m in d if m.get("name") == "scratch read")' out
all_say report 'len([m for m in d if m.get("name") == "scratch write, all at once" and len(m["params"]["by_rank"]) == 2]) == 1' out
all_say report '[m["name"] for m in d if m.get("suite") == "visibility"] == ["scratch seen " + n for n in ("listed", "by name", "appended", "renamed")]' out
all_say report 'all(m["value"] < 3000 for m in d if m.get("suite") == "visibility")' out
all_say report '[m["params"]["setting"].startswith("visibility_lag: ") for m in d if m.get("name") == "scratch seen listed"] == [True]' out
all_say report 'all(m["params"]["matrix"][0][1] > 0 and m["params"]["matrix"][1][0] > 0 and m["params"]["matrix"][0][0] is None
  for m in d if "matrix" in m.get("params", {})) and {m["unit"] for m in d if m.get("suite") == "network"} == {"GB/s", "us"}' out

# If they are not installed, they are not measured or mentioned.
printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$RV" >bare
chmod +x bare
RV=$work/bare exits 0 worker "${little[@]}" --local-ranks 2 --folder "scratch=$work/scratch" --rounds 1 --json
all_say report '[m for m in d if "by" in m.get("params", {})] == [] and d[-1]["verdict"] == "pass"' out

# As on a file system without O_DIRECT; a single rank measures neither visibility nor TCP.
exits 0 worker "${little[@]}" --folder "scratch=$work/scratch" --buffered --json
all_say report '{m["params"]["way"] for m in d if "way" in m.get("params", {})} <= {"posix_fadvise", "memory"}' out
all_say report '{m["suite"] for m in d if "suite" in m} == {"storage"}' out
exits 0 worker --help
has_line stdout 'Needs no GPU' "$out"
