#!/usr/bin/env bash
# rv-stress writes its report, and without a GPU skips with the reason.
# shellcheck source=tests/own_memory.sh
source "$(dirname "$0")/../../../own_memory.sh"
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --duration 0.5 --reference 3 --workers 2 --json --report-dir reports
all_say report 'd[0]["kind"] == "environment" and d[0]["request"]["matrix"] == 512 and d[0]["request"]["worker_bytes"] == 3145728' out
all_say report '[m["name"] for m in d if m.get("suite") == "stress"] == ["worker 0", "worker 1", "together", "scaling"]' out
all_say report '[m["name"] for m in d if m.get("suite") == "after"] == ["processes", "shared memory", "descriptors"]' out
all_say report 'd[-1]["verdict"] == "pass"' out
all_say report 'd[4]["value"] > 0 and d[4]["params"]["alone_ops_per_s"] > 0' out
same_report
# No processor multiplies these matrices in a microsecond. Nothing can be compared then, but that does not fail the test.
exits 0 worker --device cpu --duration 0.5 --reference 1e-6 --workers 2 --json
all_say report 'd[4]["name"] == "scaling" and d[4]["value"] is None' out
all_say report 'd[4]["reason"].startswith("one worker by itself: no operation finished within 1e-06 s")' out
# Without a GPU: a skip with its reason.
exits 77 worker --json
all_say report 'd[1]["reason"] == "no_gpu" and d[1]["params"]["detail"]' out
