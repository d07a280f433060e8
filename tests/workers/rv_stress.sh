#!/usr/bin/env bash
# rv-stress by itself: its report, its exit codes, its limits. usage: rv_stress.sh WORKER cuda|cpu-only
set -u
# shellcheck source=tests/own_memory.sh
. "$(dirname "$(realpath "$0")")/../own_memory.sh"
worker=$(realpath "${1:?the rv-stress binary}")
build=${2:?cuda or cpu-only}
# shellcheck source=tests/workers/worker_case.sh
. "$(dirname "$(realpath "$0")")/worker_case.sh"

run 0 --device cpu --duration 0.5 --workers 2 --json --report-dir reports
json out 'd[0]["kind"] == "environment" and d[0]["request"]["matrix"] == 512 and d[0]["request"]["worker_bytes"] == 3145728'
json out '[m["name"] for m in d if m.get("suite") == "stress"] == ["worker 0", "worker 1", "together", "scaling"]'
json out '[m["name"] for m in d if m.get("suite") == "after"] == ["processes", "shared memory", "descriptors"]'
json out 'd[-1]["verdict"] == "pass"'
cmp -s out reports/rv-stress.*.jsonl || fail "the report file differs from stdout"
# Without a GPU: a skip with its reason.
run 77 --json
json out 'd[1]["reason"] == "no_gpu" and d[1]["params"]["detail"]'
# What does not fit is told before; a worker that a limit catches on its way says so by its code.
run 4 --device cpu --memory 4000000 --json
json out 'd[1]["name"] == "fit" and d[1]["params"]["needed_bytes"] > d[1]["params"]["free_bytes"] and len(d) == 3'
(ulimit -v 500000 && timeout 60 "$worker" --device cpu --duration 0.5 --reference 0 --workers 1 --memory 400 --json >out 2>err)
equal "the exit code with too little memory" 1 $?
json out 'd[1]["params"]["end"] == "did not fit" and d[1]["params"]["cause"] == "out_of_memory" and d[1]["reason"].startswith("out_of_memory")'
# An operation that takes longer than there is time for is no success, and is broken off.
run 1 --device cpu --duration 0.3 --reference 0 --workers 1 --memory 64 --json
json out 'd[1]["params"]["operations"] == 0 and "no operation came to its end within 0.3 s" in d[1]["reason"]'
# Faults on purpose; words that are none.
run 1 --device cpu --duration 0.5 --reference 0 --inject die@1:1
has 'worker 1: fail, was killed by signal 9' out
# What is wrong with a worker is a field of its own, besides the words.
causes='[m["params"].get("cause") for m in d if m.get("name", "").startswith("worker ")]'
run 1 --device cpu --duration 0.5 --reference 0 --workers 2 --inject corrupt@1 --json
json out "$causes == [None, 'wrong_result']"
run 1 --device cpu --duration 0.5 --reference 0 --workers 2 --inject descriptor@0 --json
json out "$causes == ['leak', None]"
run 1 --device cpu --duration 0.5 --reference 0 --workers 2 --inject orphan@1
has 'processes: fail, left behind, and ended: of worker 1: [0-9]+ \(rv-stress ' out
run 2 --inject nonsense
has 'is no fault' err
run 126 --device cpu --skip-stress -- /etc/passwd
run 127 --device cpu --skip-stress -- ./missing
run 1 --device cpu --skip-stress -- sh -c 'exit 3'
has 'it ended with exit code 3' out
run 2 --memory 0
run 0 --help
echo passed
