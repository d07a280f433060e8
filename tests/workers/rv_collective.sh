#!/usr/bin/env bash
# rv-collective as people run it, and what it says when a rank goes wrong. usage: rv_collective.sh WORKER cuda|cpu-only
set -u
worker=$(realpath "${1:?the rv-collective binary}")
build=${2:?cuda or cpu-only}
# shellcheck source=tests/workers/worker_case.sh
. "$(dirname "$(realpath "$0")")/worker_case.sh"
reason=$([ "$build" = cuda ] && echo no_gpu || echo no_cuda_build)
# Short, so that the faults below are found soon.
one=(--device cpu --quick --suite sweep --ops all_reduce -b 1K -e 1K --place out --deadline 4 --silence 3)

# Every operation, in and out of place, in several types, on four ranks.
run 0 --device cpu --local-ranks 4 --quick -b 8 -e 512 -f 64 --samples 1 --types int8,bf16,fp32 --json --report-dir reports
json out 'd[0]["kind"] == "environment" and len(d[0]["ranks"]) == 4 and d[-1]["verdict"] == "pass"'
json out '{l["params"]["collective"] for l in d if l.get("suite") == "collective"} ==
  {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "alltoall", "sendrecv"}'
json out 'sum(l.get("suite") == "collective" for l in d) == 3 * 2 * (4 * 2 + 2)'
json out 'all(l["value"] > 0 and l["params"]["time_us"] > 0 for l in d if l.get("suite") == "collective")'
json out '[len(l["params"]["matrix"]) for l in d if l.get("suite") == "p2p"] == [4, 4]'
json out '[len(l["params"]["milliseconds_by_rank"]) for l in d if l.get("suite") == "straggler"] == [4]'
cmp -s out reports/rv-collective.*.jsonl || fail "the report file differs from stdout"
# busbw is algbw times 2(n-1)/n, algbw bytes over time.
json out 'all(abs(l["value"] / (l["params"]["bytes"] / l["params"]["time_us"] / 1e3) - 1.5) < 1e-9
  for l in d if l.get("params", {}).get("collective") == "all_reduce")'

run 0 "${one[@]}" --local-ranks 2
has '\[ENV\]' out
has '\[DDP\]' out
has 'pass: 1 passed, 0 failed' out
run 0 "${one[@]}" --local-ranks 1

# Wrong results are found wherever they are: rank and index.
run 1 "${one[@]}" --local-ranks 4 --inject corrupt@2:77
has 'rank 2 \(host .*\): 1 of 256 elements are wrong, the first at index 77: expected [0-9]+, got [0-9]+$' out
run 1 "${one[@]}" --local-ranks 2 --inject nan@1:3
has 'rank 1 .*: 1 of 256 elements are wrong, the first at index 3: expected .*, got -?nan' out

# Whoever does not come, dies, hangs or stands still is named; the others end, and nothing is left.
run 3 "${one[@]}" --local-ranks 3 --inject never@2
has '1 of 3 ranks did not come within 4 s: rank 2 \(host .*\)' out
run 3 "${one[@]}" --local-ranks 3 --inject die@1:5
has 'rank 1 \(host .*, process .*\) was killed by signal 9 .* while at: all_reduce fp32 1K' out
run 3 "${one[@]}" --local-ranks 3 --inject die@0:5
has 'rank 0 .* was killed by signal 9' out
run 3 "${one[@]}" --local-ranks 3 --inject hang@2:5
has 'rank 2 .* gives no sign of life for 3 s; it was at: all_reduce' out
run 3 "${one[@]}" --local-ranks 3 --inject stuck@1:5 --json
json out 'd[-2]["verdict"] == "error" and "rank 1" in d[-2]["reason"] and "is stuck for 4 s" in d[-2]["reason"]'
json out 'd[-2]["params"]["ranks"] == [1] and d[-1]["verdict"] == "error"'

# The slow rank, and the pairs of the slow rank, are named.
run 1 --device cpu --local-ranks 4 --quick --suite straggler --inject slow@2:400
has 'slow at the same work: rank 2 .* times the median' out
run 1 --device cpu --local-ranks 4 --quick --suite p2p --samples 1 --inject slow@1:200 --json
has 'slow pairs, .*: rank 0 .* -> rank 1' out
# They are slow each time, and named after having been measured again.
json out '[l["params"]["measured_again"] >= 3 for l in d if l.get("suite") == "p2p"] == [True, True]'

# Two processes, as torchrun and rv's scripts start them, and two "hosts" of a list.
export RV_RENDEZVOUS_TOKEN=0123456789abcdef WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT
MASTER_PORT=$(free_port)
RANK=1 LOCAL_RANK=1 timeout 60 "$worker" "${one[@]}" > out1 2> err1 &
RANK=0 LOCAL_RANK=0 run 0 "${one[@]}"
wait $! || fail "rank 1 ended with $?: $(cat err1)"
has 'pass: 1 passed' out
[ ! -s out1 ] || fail "rank 1's process wrote a report too"
# One of two processes dies: the other's exit code and words are the same.
RANK=1 LOCAL_RANK=1 timeout 60 "$worker" "${one[@]}" --inject die@1:5 > out1 2> err1 &
other=$!
RANK=0 LOCAL_RANK=0 run 3 "${one[@]}"
wait $other
[ $? = 3 ] || fail "the process of the dead rank did not end with 3"
has 'rank 1 .* was killed by signal 9' out
has 'rank 1 .* was killed by signal 9' err1
# Another token is refused, and the missing rank is named.
RV_RENDEZVOUS_TOKEN=fedcba9876543210 RANK=1 LOCAL_RANK=1 timeout 60 "$worker" "${one[@]}" > out1 2> err1 &
other=$!
RANK=0 LOCAL_RANK=0 run 3 "${one[@]}"
wait $other
has "the token is not this run's" err1
has '1 of 2 ranks did not come' out
# Without a token ranks of several processes do not start.
unset RV_RENDEZVOUS_TOKEN
RANK=0 run 2 "${one[@]}"
has 'export RV_RENDEZVOUS_TOKEN=' err
unset WORLD_SIZE MASTER_ADDR MASTER_PORT
(umask 077 && echo 0123456789abcdef > token)
port=$(free_port)
timeout 60 "$worker" "${one[@]}" --ranks localhost:1,127.0.0.1:2 --host 127.0.0.1 --port "$port" --token-file token > out1 2> err1 &
run 0 "${one[@]}" --ranks localhost:1,127.0.0.1:2 --host localhost --port "$port" --token-file token
wait $! || fail "the second host ended with $?"
has '3 ranks, gloo' out
chmod 644 token
run 2 "${one[@]}" --ranks localhost:1,other:1 --host localhost --token-file token
has 'chmod 600' err

# No GPU is a skip that says why, never a pass; wrong words are wrong usage.
run 77 --device cuda --json
json out "d[0]['reason'] == '$reason' and d[-1]['verdict'] == 'skip'"
run 0 --device cuda --allow-skip
run 2 --ops allreduce
run 2 -b 1Q
run 2 -b 1M -e 1K
run 2 --device cpu --inject nonsense
run 0 --help
has 'Exit codes:' out
echo passed
