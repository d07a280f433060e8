#!/usr/bin/env bash
# rv-train as people run it: it learns, its ranks agree, it goes on where it was ended. usage: rv_train.sh WORKER
set -u
worker=$(realpath "${1:?the rv-train binary}")
build=${2:?cuda or cpu-only}
# shellcheck source=tests/workers/worker_case.sh
. "$(dirname "$(realpath "$0")")/worker_case.sh"
reason=$([ "$build" = cuda ] && echo no_gpu || echo no_cuda_build)
# checksum FILE: the weights' bits at the end of that run.
checksum() { grep -o '"checksum":"[0-9a-f]*"' "$1"; }

run 0 --device cpu --local-ranks 1 --json
json out '[l["name"] for l in d[1:-1]] == ["train", "weights"]'
json out 'd[1]["value"] < 0.7 and d[1]["params"]["last_epoch_loss"] < 0.7 * d[1]["params"]["first_epoch_loss"]'
run 0 --device cpu --local-ranks 3 --quick
has '\[DDP\]' out
has 'ddp_train +0\.[0-9]+ +pass' out

# One bit of one rank's weights is enough, and the rank is named.
run 1 --device cpu --local-ranks 3 --quick --inject corrupt@1:1000
has 'weights: fail, the weights of rank 1 \(host .*\) differ' out
run 3 --device cpu --local-ranks 3 --quick --silence 2 --inject die@2:9
has 'rank 2 .* was killed by signal 9 .* while at: training step' out
run 1 --device cpu --local-ranks 3 --epochs 1 --batch 1000 --inject slow@1:300
has 'slow at the same work: rank 1' out

# A warning: all save after the same step; the second run has the bits of one that was never ended.
run 0 --device cpu --local-ranks 2 --quick --checkpoint-dir whole --json
checksum out > whole.sum
[ "$(wc -l < whole/steps.log)" = 32 ] || fail "not 32 steps"
RV_CHECKPOINT_DIR=parts "$worker" --device cpu --local-ranks 2 --quick --step-seconds 0.2 > out 2> err &
process=$!
for _ in $(seq 200); do
  grep -q "step 3" parts/steps.log 2> /dev/null && break
  sleep 0.05
done
kill -USR1 $process
wait $process
[ $? = 85 ] || fail "a warned run did not end with 85"
has 'skip, warned \(saved after step [0-9]+ of 32' out
[ "$(wc -l < parts/steps.log)" -lt 32 ] || fail "the warning came too late to show anything"
RV_CHECKPOINT_DIR=parts run 0 --device cpu --local-ranks 2 --quick --json
checksum out | cmp -s - whole.sum || fail "the resumed training has other bits"
seq -f 'step %.0f' 32 | cmp -s - parts/steps.log || fail "some step was not done once: $(cat parts/steps.log)"

# A damaged checkpoint gives way to the one before; with none whole, nothing starts anew by itself.
run 0 --device cpu --local-ranks 1 --quick --checkpoint-dir old --save-every 10
printf x | dd of=old/rv-train.checkpoint bs=1 seek=5000 conv=notrunc 2> /dev/null
run 0 --device cpu --local-ranks 1 --quick --checkpoint-dir old --json
has 'is damaged or missing; .*before is taken' err
json out 'd[1]["params"]["resumed_at"] == 30'
for file in old/*checkpoint*; do printf x | dd of="$file" bs=1 seek=5000 conv=notrunc 2> /dev/null; done
run 3 --device cpu --local-ranks 1 --quick --checkpoint-dir old
has 'is damaged, and so is the one before' out
run 3 --device cpu --local-ranks 1 --quick --checkpoint-dir whole --batch 128
has 'is of another training' out

run 77 --device cuda --json
json out "d[0]['reason'] == '$reason'"
run 2 --batch 0
run 0 --help
echo passed
