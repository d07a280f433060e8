#!/usr/bin/env bash
# rv-envs as people run it, on the host's processor: its log, the same bits, going on, ranks, refusals. usage: rv_envs.sh WORKER
set -u
worker=$(realpath "${1:?the rv-envs binary}")
build=${2:?cuda or cpu-only}
# shellcheck source=tests/workers/worker_case.sh
. "$(dirname "$(realpath "$0")")/worker_case.sh"
reason=$([ "$build" = cuda ] && echo no_gpu || echo no_cuda_build)
checksum() { grep -o '"checksum":"[0-9a-f]*"' "$1"; }
few=(--device cpu --task flat --num-envs 4)

run 0 "${few[@]}" --iterations 2 --results results.json
has '^ *Computation: [0-9]+ steps/s \(collection: [0-9.]+s, learning [0-9.]+s\)$' out
has '^ *Total timesteps: 192$' out
has '^ *Iteration time: [0-9.]+s$' out
has '^ *Mean step reward: -?[0-9.]+$' out
has '^4 environments need 0\.0[0-9]+ GB of [0-9.]+ GB of memory, and ' out
has '^Training time: [0-9.]+ seconds$' out
has 'cpu +ppo +[0-9.]+ steps/s +pass' out
says results.json 'd["environments"] == 4 and d["observations"] == 48 and d["task"] == "flat"' results.json
python3 - << 'END' || fail "results.json is not as documented: $(cat results.json)"
import json
r = json.load(open("results.json"))
assert [line["iteration"] for line in r["curve"]] == [1, 2]
assert r["iterations"] == 2 and r["ranks"] == 1 and r["device"] == "cpu" and r["steps_per_second"] > 0
assert all(line["collection_seconds"] > 0 and line["learning_seconds"] > 0 and line["kl"] >= 0 for line in r["curve"])
assert r["curve"][0]["terrain_level"] is None, "flat ground has no levels"
END
run 0 --device cpu --num-envs 2 --iterations 1 --results rough.json
grep -q '"observations": 235' rough.json || fail "rough ground has other observations"

# The same seed, the same bits; another one, others. Two ranks agree to the last bit.
run 0 "${few[@]}" --iterations 2 --json
checksum out > whole.sum
[ -s whole.sum ] || fail "no checksum"
has 'Computation:' err
run 0 "${few[@]}" --iterations 2 --json
checksum out | cmp -s - whole.sum || fail "the same seed gives other bits"
run 0 "${few[@]}" --iterations 2 --seed 2 --json
checksum out | cmp -s - whole.sum && fail "another seed gives the same bits"
run 0 "${few[@]}" --iterations 2 --local-ranks 2 --json
json out 'd[1]["params"]["ranks"] == 2 and d[1]["verdict"] == "pass"'
has 'Total timesteps: 384' err
run 1 "${few[@]}" --iterations 1 --local-ranks 2 --inject corrupt@1
has "ppo .* fail: the ranks' weights differ" out
run 3 "${few[@]}" --iterations 50 --local-ranks 2 --inject die@1:2 --silence 2
has 'rank 1 .* was killed by signal 9' out

# Ended and gone on with, it has the bits of one that never stopped: by the number of iterations, and by a warning.
run 0 "${few[@]}" --iterations 1 --checkpoint saved
run 0 "${few[@]}" --iterations 2 --checkpoint saved --json
checksum out | cmp -s - whole.sum || fail "the resumed training has other bits"
json out 'd[1]["params"]["resumed_at"] == 1'
run 0 "${few[@]}" --iterations 2 --checkpoint saved --json
checksum out | cmp -s - whole.sum || fail "what was done is done again"
RV_CHECKPOINT_DIR=warned "$worker" "${few[@]}" --iterations 100000 > out 2> err &
process=$!
for _ in $(seq 400); do
  grep -q "iteration 2/" out && break
  sleep 0.05
done
kill -USR1 $process
wait $process
[ $? = 85 ] || fail "a warned run did not end with 85"
has 'skip, warned \(ended after iteration [0-9]+ of 100000; the same command goes on\)' out
[ -s warned/rv-envs.0.checkpoint ] || fail "nothing was saved"
run 3 "${few[@]}" --iterations 2 --checkpoint saved --seed 5
has '^rv-envs: error: saved: the checkpoint is of another training$' err
has '^hint: give it the options that it began with, or another folder$' err
rm -r saved
run 0 "${few[@]}" --iterations 1 --local-ranks 2 --checkpoint saved
run 0 "${few[@]}" --iterations 2 --local-ranks 2 --checkpoint saved --json
json out 'd[1]["params"]["resumed_at"] == 1 and d[1]["verdict"] == "pass"'

# Behind a checkpoint all may be told one speed.
run 0 "${few[@]}" --iterations 3 --local-ranks 2 --checkpoint saved --speed 1 --results told.json
says told.json 'd["speed"] == 1 and d["resumed_at"] == 2' told.json
says results.json 'd["speed"] is None' results.json

# What does not fit is refused before anything is taken, with what would fit.
run 4 --device cpu --num-envs 16000000
has '^rv-envs: error: out_of_host_memory: 16,000,000 environments need [0-9.]+ GB of [0-9.]+ GB of memory, and [0-9.]+ GB are in use$' err
has '^hint: --num-envs [0-9]+ fits$' err
[ "$(wc -l < err)" = 2 ] || fail "more than two lines: $(cat err)"

run 2 --task steep
has '^rv-envs: error: --task: steep is none of rough, flat$' err
run 2 --num-envs 0
run 2 --speed 9
run 2 --device cpu --precision bf16
has '^rv-envs: error: --precision bf16 needs a GPU$' err
run 2 --gpus 2 --local-ranks 2
has '^hint: ' err
run 77 --device cuda --json
json out "d[0]['reason'] == '$reason'"
run 0 --help
echo passed
