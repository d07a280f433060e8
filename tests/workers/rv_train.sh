#!/usr/bin/env bash
# rv-train as people run it: it learns, its ranks agree, it goes on where it was ended. usage: rv_train.sh WORKER
set -u
worker=$(realpath "${1:?the rv-train binary}")
build=${2:?cuda or cpu-only}
here=$(dirname "$(realpath "$0")")
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

# The models: each trains, its results have the keys people's scripts read, and samples are counted once.
for model in resnet18 transformer; do
  run 0 --device cpu --local-ranks 2 --model "$model" --image-size 16 --batch-size 2 --results results.json --json
  json out "[l['name'] for l in d[1:-1]] == ['$model fp32 batch 2' + end for end in ('', ' step p50', ' step p95', ' alone', ' alone')] + ['weights', 'work per step']"
  json out 'all(l["value"] > 0 for l in d[1:6]) and [l["rank"] for l in d[4:6]] == [0, 1] and d[1]["params"]["samples_per_step"] == 4'
  python3 - << 'EOF' || fail "$model: results.json is not as documented: $(cat results.json)"
import json
r = json.load(open("results.json"))
assert r["world_size"] == 2 and r["batch_size_per_gpu"] == 2 and r["global_batch_size"] == 4
assert r["total_samples"] == 4 * 3 and r["device"] == "cpu" and r["backend"] == "gloo"
assert abs(r["throughput_samples_per_second"] * r["total_time_seconds"] - 12) < 1e-6
assert abs(r["average_step_time_seconds"] * 3 - r["total_time_seconds"]) < 1e-9
assert len(r["losses"]) == 4 and len(r["step_seconds_by_rank"]) == 2
assert r["losses"][-1] < r["losses"][1], "it trains on two batches in turn, so the loss must fall"
# Where the time goes is said of every rank, adds up, and is no more than there is.
assert len(r["shares_by_rank"]) == len(r["alone_step_seconds_by_rank"]) == 2
for shares in r["shares_by_rank"] + [r["shares"]]:
    assert set(shares) == {"compute", "input", "communication"} and abs(sum(shares.values()) - 1) < 1e-9, shares
    assert all(0 <= share <= 1 for share in shares.values()) and shares["compute"] > 0, shares
assert r["scaling_efficiency"] is None and r["load"] is None and r["throttled_seconds_by_rank"] == [None, None]
EOF
done
# A rank that takes longer is named by what it takes without the others, which wait for it: that is their communication.
run 1 --device cpu --local-ranks 3 --model transformer --batch-size 1 --sequence 3 --inject slow@1:500 --results results.json
has 'work per step: fail, slow at the same work: rank 1 \(host .*\): [0-9e+.]+ ms' out
python3 - << 'EOF' || fail "who waits for whom: $(cat results.json)"
import json
shares = json.load(open("results.json"))["shares_by_rank"]
assert shares[0]["communication"] > 0.5 and shares[2]["communication"] > 0.5 and shares[1]["communication"] < 0.5, shares
EOF
# One rank alone, then all: on request. What was timed besides leaves no trace in what is learnt.
run 0 --device cpu --local-ranks 2 --model transformer --steps 4 --json
checksum out > plain.sum
run 0 --device cpu --local-ranks 2 --model transformer --steps 4 --scaling --checkpoint scaled --results results.json --json
checksum out | cmp -s - plain.sum || fail "timing one rank alone changed what is learnt"
python3 - << 'EOF' || fail "the efficiency is not that of the two rates: $(cat results.json)"
import json
r = json.load(open("results.json"))
assert r["one_rank_samples_per_second"] > 0
assert abs(r["scaling_efficiency"] - r["throughput_samples_per_second"] / 2 / r["one_rank_samples_per_second"]) < 1e-9
EOF
run 77 --device cpu --local-ranks 2 --model transformer --steps 4 --scaling --checkpoint scaled --json
checksum out | cmp -s - plain.sum || fail "the steps after the timed ones changed what is learnt"
# Repeats say how far the rates vary, and what each rank took of the memory; which one is slowest is said with its host.
run 0 --device cpu --gpus 2 --model transformer --repeats 3 --peak-tflops 2 --results results.json --json
python3 - << 'EOF' || fail "the variation is not that of three rates: $(cat results.json)"
import json, statistics
r = json.load(open("results.json"))
rates = r["samples_per_second_by_repeat"]
assert r["world_size"] == 2 and len(rates) == 3 and r["total_samples"] == 2 * 4 * 3 * 3
times = [1 / rate for rate in rates]
assert abs(r["coefficient_of_variation"] - statistics.stdev(times) / statistics.mean(times)) < 1e-9
assert r["peak_memory_source"] == "kernel" and all(5e6 < one < 1e10 for one in r["peak_memory_bytes_by_rank"])
alone = r["alone_step_seconds_by_rank"]
assert r["slowest_rank"]["rank"] == alone.index(max(alone)) and r["slowest_rank"]["ratio"] >= 1 and r["slowest_rank"]["host"]
assert abs(r["share_of_peak"] - r["model_flops_per_second_per_rank"] / 2e12) < 1e-12
shown = json.loads(open("out").readlines()[1])["params"]
assert all(shown[key] == r[key] for key in ("coefficient_of_variation", "slowest_rank", "peak_memory_bytes_by_rank"))
EOF
run 0 --device cpu --local-ranks 1 --model transformer --results results.json
says results.json 'd["coefficient_of_variation"] is d["slowest_rank"] is d["share_of_peak"] is None' results.json
run 2 --device cpu --gpus 2 --local-ranks 2
has '(--gpus excludes --local-ranks|--local-ranks excludes --gpus)' err
# What does not fit is refused before anything is taken, with the bytes and with what would fit; what is proposed runs.
run 4 --device cpu --local-ranks 2 --model transformer --batch-size 16000000 --report-dir refused
has '^rv-train: error: out_of_host_memory: rank 0 \(host .*\): a step of 2 ranks with --batch-size 16000000 needs [0-9]+ bytes of memory, and [0-9]+ are free$' err
has '^hint: --batch-size [0-9]+ fits$' err
[ "$(wc -l < err)" = 2 ] || fail "more than two lines: $(cat err)"
has 'transformer +error: out_of_host_memory: ' out
has '"kind":"result","verdict":"error"' refused/*.jsonl
# Ranks of two processes that were started with other options end, and the option is named.
export RV_RENDEZVOUS_TOKEN=0123456789abcdef0123456789abcdef WORLD_SIZE=2 MASTER_ADDR=127.0.0.1
MASTER_PORT=$(free_port)
export MASTER_PORT
RANK=1 LOCAL_RANK=1 timeout 60 "$worker" --device cpu --model transformer --batch-size 3 > other 2>&1 &
other=$!
RANK=0 LOCAL_RANK=0 run 3 --device cpu --model transformer --batch-size 2
has 'rank 1 \(host .*\) has batch_size_per_gpu 3, and rank 0 has 2; start all ranks with the same options' out
wait $other
[ $? = 3 ] || fail "the other process did not end with 3: $(cat other)"
unset RV_RENDEZVOUS_TOKEN WORLD_SIZE MASTER_ADDR MASTER_PORT
run 1 --device cpu --local-ranks 2 --model transformer --inject corrupt@1:0
has 'weights: fail, the weights of rank 1 \(host .*\) differ' out
run 3 --device cpu --local-ranks 2 --model transformer --active-iterations 1000 --inject die@1:9 --silence 2
has 'rank 1 .* was killed by signal 9' out
# The same bits with and without a stop, on one rank and on two, statistics and momentum included.
for case in "1 transformer" "2 transformer" "2 resnet18"; do
  read -r ranks model <<< "$case"
  words=(--device cpu --local-ranks "$ranks" --model "$model" --image-size 16 --batch-size 2 --json)
  rm -rf halves
  run 0 "${words[@]}" --steps 4
  checksum out > whole.sum
  run 0 "${words[@]}" --steps 2 --checkpoint halves
  run 0 "${words[@]}" --steps 4 --checkpoint halves
  checksum out | cmp -s - whole.sum || fail "$case: the resumed training has other bits"
  json out 'd[1]["params"]["resumed_at"] == 2'
done
# FashionMNIST as it is published, with pictures made here: each class has a pattern of its own, under noise. Every sample
# comes once, so what is told right at the end was never seen before.
mkdir data
python3 - << 'EOF'
import gzip, random, struct
random.seed(1)
patterns = [[random.randrange(40, 200) for _ in range(16)] for _ in range(10)]
labels = [random.randrange(10) for _ in range(500)]
def picture(label):
    noise = random.randbytes(784)
    return bytes(patterns[label][i // 28 // 7 * 4 + i % 28 // 7] + noise[i] % 81 - 40 for i in range(784))
with gzip.open("data/train-images-idx3-ubyte.gz", "wb") as f:
    f.write(struct.pack(">IIII", 0x803, 500, 28, 28) + b"".join(picture(label) for label in labels))
with gzip.open("data/train-labels-idx1-ubyte.gz", "wb") as f:
    f.write(struct.pack(">II", 0x801, 500) + bytes(labels))
EOF
run 0 --device cpu --local-ranks 1 --model resnet18 --data-mode fashion_mnist --data-dir data --image-size 16 --num-classes 10 \
  --batch-size 20 --learning-rate 0.001 --steps 25 --results results.json
python3 - << 'EOF' || fail "made-up FashionMNIST was not learnt: $(cat results.json)"
import json
r = json.load(open("results.json"))
assert len(r["accuracies"]) == 25 and r["accuracies"][0] <= 0.5
assert abs(r["accuracy"] - sum(r["accuracies"][-10:]) / 10) < 1e-9
assert r["accuracy"] >= 0.95 and r["losses"][-1] < 0.5 * r["losses"][0]
EOF
# CIFAR's Python archives, as Python itself reads them, and ImageNet's folders: both are learnt, too.
for set in cifar10 cifar100; do
  python3 "$here/cifar_archive.py" data $set 40 || fail "the made-up $set is none"
  run 0 --device cpu --local-ranks 1 --model resnet18 --data-mode $set --data-dir data --image-size 16 --num-classes 100 \
    --batch-size 20 --steps 10 --results results.json
  python3 -c 'import json; l = json.load(open("results.json"))["losses"]; assert l[-1] < 0.3 * l[0], l' ||
    fail "made-up $set was not learnt"
done
cp data/cifar-100-python/train data/cifar-10-batches-py/data_batch_3
run 3 --device cpu --local-ranks 1 --model resnet18 --data-mode cifar10 --data-dir data
has 'cifar-10-batches-py/data_batch_3 has no data or no list of labels; get it anew from .*\(the binary version\)' out
python3 - << 'EOF'
import os
for n in range(8):
    for name, colour in ("n01440764", lambda x, y: (200 + n, x, y)), ("n01443537", lambda x, y: (30, 90 + x, 250 - n)):
        os.makedirs(f"images/val/{name}", exist_ok=True)
        with open(f"images/val/{name}/ILSVRC2012_val_0000000{n}.ppm", "wb") as file:
            file.write(b"P6 %d %d 255\n" % (40 + n, 50 - n))
            file.write(bytes(value for y in range(50 - n) for x in range(40 + n) for value in colour(x, y)))
EOF
for picture in images/val/*/*.ppm; do
  cjpeg -quality 90 "$picture" > "${picture%.ppm}.JPEG" || fail "cjpeg can't make $picture"
done
run 0 --device cpu --local-ranks 2 --model resnet18 --data-mode imagenet --data-dir images --image-size 16 --num-classes 2 \
  --batch-size 8 --steps 6 --learning-rate 0.003 --data-threads 2 --results results.json
python3 -c 'import json; r = json.load(open("results.json")); l = r["losses"]; assert l[-1] < 0.5 * l[0], l; r = r["reader"]
assert r["threads"] == 2 and r["images"] >= 48 and r["images_per_second"] > 0, r' || fail "made-up ImageNet was not learnt"
head -c 300 images/val/n01440764/ILSVRC2012_val_00000001.JPEG > short.JPEG && mv short.JPEG images/val/n01440764/ILSVRC2012_val_00000001.JPEG
run 3 --device cpu --local-ranks 2 --model resnet18 --data-mode imagenet --data-dir images --image-size 16 --num-classes 2 --steps 10
has 'images/val/n01440764/ILSVRC2012_val_00000001.JPEG is damaged or cut off \(.*; unpack it anew from the archive' out
run 3 --device cpu --local-ranks 1 --model resnet18 --data-mode imagenet --data-dir nowhere
has 'nowhere has no images of ImageNet; get them from https://www.image-net.org' out
rm -r data/cifar-10-batches-py
run 3 --device cpu --local-ranks 1 --model resnet18 --data-mode cifar10 --data-dir data
has 'data/data_batch_1.bin is missing; get it from' out
run 3 --device cpu --local-ranks 1 --model transformer --precision bf16
has '--precision bf16 needs a GPU' out
run 2 --model resnet19
has '^rv-train: error: --model: resnet19 is none of mlp, resnet18, resnet50, transformer$' err
has '^hint: rv-train --help' err
run 2 --model resnet18 --batch-size 0

run 77 --device cuda --json
json out "d[0]['reason'] == '$reason'"
run 2 --batch 0
run 0 --help
echo passed
