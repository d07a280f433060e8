#!/usr/bin/env bash
# rv-stress reports beforehand what does not fit; a run for which memory or time did not suffice is not a success.
# shellcheck source=tests/own_memory.sh
source "$(dirname "$0")/../../../own_memory.sh"
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 4 worker --device cpu --memory 4000000 --json
all_say report 'd[1]["name"] == "fit" and d[1]["params"]["needed_bytes"] > d[1]["params"]["free_bytes"] and len(d) == 3' out
# A worker that hits a limit while it starts reports that by its exit code.
exits 1 worker_within 500000 --device cpu --duration 0.5 --reference 0 --workers 1 --memory 400 --json
all_say report 'd[1]["params"]["end"] == "did not fit" and d[1]["params"]["cause"] == "out_of_memory" and d[1]["reason"].startswith("out_of_memory")' out
# An operation that takes longer than there is time for is not success, and is broken off.
exits 1 worker --device cpu --duration 0.3 --reference 0 --workers 1 --memory 64 --json
all_say report 'd[1]["params"]["operations"] == 0 and "no operation finished within 0.3 s" in d[1]["reason"]' out
