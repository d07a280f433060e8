#!/usr/bin/env bash
# rv-envs runs on real GPUs: its learner computes what the host's does, the same seed gives the same bits, its memory is
# checked, and a training on flat ground gives a curve. Prints a table from 1,024 environments to a number that does not fit.
# usage: gpu_ppo.sh BUILD_FOLDER [REPORT_FOLDER] [PARTS…]
# PARTS: check table bf16 resume ranks train (default: all). ITERATIONS of the training (default: 300). Exits with 1 if a check
# fails.
set -u
build=$(realpath "${1:?the build folder}")
reports=${2:-$(mktemp -d)}
mkdir -p "$reports"
reports=$(realpath "$reports")
shift 2 || shift
parts=${*:-check table bf16 resume ranks train}
worker=$build/workers/rv-envs
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
if [ "$gpus" -eq 0 ]; then
  echo "gpu_ppo.sh: nvidia-smi shows no GPU" >&2
  exit 77
fi
nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
cd "$reports" || exit 3
failed=0
wanted() { [[ " $parts " == *" $1 "* ]]; }
# so WHAT COMMAND…: prints whether the command succeeds.
so() {
  local what=$1 verdict=ok
  shift
  "$@" || verdict=NOT_OK failed=1
  printf '%-44s %s\n' "$what" "$verdict"
}
# row PRECISION TASK ENVIRONMENTS: the medians behind the first iteration; fails with the worker's code.
row() {
  local name=$1.$2.$3 code
  timeout 200 "$worker" --precision "$1" --task "$2" --num-envs "$3" --iterations 6 --results "$name.json" >"$name.out" 2>"$name.err"
  code=$?
  [ "$code" -eq 0 ] || { printf '%-5s %-6s %9s  exit code %s: %s\n' "$1" "$2" "$3" "$code" "$(head -n 1 "$name.err")" && return "$code"; }
  python3 - "$name.json" <<'END'
import json, statistics, sys
r = json.load(open(sys.argv[1]))
rest = r["curve"][1:]
median = lambda key: statistics.median(line[key] for line in rest)
steps, collecting, learning = 24 * r["environments"], median("collection_seconds"), median("learning_seconds")
print(f"{r['precision']:<5} {r['task']:<6} {r['environments']:>9,} {steps / (collecting + learning):>12,.0f} {steps / collecting:>12,.0f} "
      f"{steps / learning:>12,.0f} {1e3 * collecting:>10.1f} {1e3 * learning:>10.1f} {r['predicted_bytes'] / 2**30:>8.2f}")
END
}
# table PRECISION TASK: doubles until it does not fit.
table() {
  local count=1024 code=0
  printf '%-5s %-6s %9s %12s %12s %12s %10s %10s %8s\n' "" task envs steps/s collecting learning "ms coll." "ms learn" GiB
  while [ "$count" -le 4194304 ]; do
    row "$1" "$2" "$count"
    code=$?
    [ "$code" -eq 0 ] || break
    count=$((2 * count))
  done
  so "$1 $2: what does not fit ends with 4" [ "$code" -eq 4 ]
  so "$1 $2: said in two lines" grep -q '^hint: --num-envs [0-9]* fits$' "$1.$2.$count.err"
  fits=$(sed -n 's/^hint: --num-envs \([0-9]*\) fits$/\1/p' "$1.$2.$count.err")
  [ -z "$fits" ] || so "$1 $2: what is said to fit does" row "$1" "$2" "$fits"
}
checksum() { grep -o '"checksum": "[0-9a-f]*"' "$1"; }

if wanted check; then
  "$build/tests/workers/ppo_check" || failed=1
fi
if wanted table; then
  table tf32 rough
  table tf32 flat
fi
if wanted bf16; then
  for count in 4096 16384 65536; do row bf16 rough "$count" || failed=1; done
  row fp32 rough 16384 || failed=1
fi
if wanted resume; then
  "$worker" --num-envs 2048 --iterations 6 --seed 9 --results whole.json >whole.out || failed=1
  "$worker" --num-envs 2048 --iterations 6 --seed 9 --results again.json >again.out || failed=1
  so "the same seed, the same bits" [ "$(checksum whole.json)" = "$(checksum again.json)" ]
  rm -rf saved
  "$worker" --num-envs 2048 --iterations 3 --seed 9 --checkpoint saved >first.out || failed=1
  "$worker" --num-envs 2048 --iterations 6 --seed 9 --checkpoint saved --results rest.json >rest.out || failed=1
  so "after a checkpoint the same bits" [ "$(checksum whole.json)" = "$(checksum rest.json)" ]
fi
if wanted ranks && [ "$gpus" -gt 1 ]; then
  "$worker" --gpus "$gpus" --num-envs 16384 --iterations 8 --results ranks.json | grep -E 'Computation|Mean step reward' | tail -n 2
  so "$gpus ranks" [ "${PIPESTATUS[0]}" -eq 0 ]
fi
if wanted train; then
  rm -rf walker
  timeout 500 "$worker" --task flat --num-envs 4096 --iterations "${ITERATIONS:-300}" --checkpoint walker --results train.json >train.out 2>train.err
  so "a training on flat ground" [ $? -eq 0 ]
  python3 - <<'END' || failed=1
import json, statistics
r = json.load(open("train.json"))
curve = r["curve"]
last = lambda curve, key: statistics.mean(line[key] for line in curve[-10:] if line[key] is not None)
print(f"{'iteration':>9} {'reward':>8} {'length':>8} {'step reward':>11} {'tracking error':>14} {'speed':>6} {'std':>5} {'rate':>8}")
show = lambda value, form: format(value, form) if value is not None else "-"
for i in sorted({0, 1, 2, 5, 10, *range(20, len(curve), max(1, len(curve) // 20)), len(curve) - 1} & set(range(len(curve)))):
    l = curve[i]
    print(f"{l['iteration']:>9} {show(l['mean_reward'], '8.2f'):>8} {show(l['mean_episode_length'], '8.1f'):>8} {show(l['mean_step_reward'], '11.5f'):>11} "
          f"{show(l['tracking_error'], '14.4f'):>14} {show(l['speed'], '6.3f'):>6} {l['action_std']:>5.2f} {l['learning_rate']:>8.1e}")
print(f"{r['training_seconds']:.1f} s, {r['steps_per_second']:,.0f} steps/s")
assert last(curve, "mean_episode_length") > 950, "it falls"
assert last(curve, "tracking_error") < 0.12, "it does not follow the commands"
END
  # A command lasts 500 steps: from the 21st iteration on all have the new one.
  "$worker" --task flat --num-envs 4096 --iterations $((${ITERATIONS:-300} + 31)) --checkpoint walker --speed 1 --results ahead.json >ahead.out || failed=1
  python3 - <<'END' || failed=1
import json, statistics
curve = json.load(open("ahead.json"))["curve"]
speed, error = (statistics.mean(line[key] for line in curve[-10:]) for key in ("speed", "tracking_error"))
print(f"commanded 1 m/s ahead, the last ten of {len(curve)} further iterations: {speed:.3f} m/s, error {error:.3f} m/s")
assert 0.9 < speed < 1.1 and error < 0.15, "it does not walk at 1 m/s"
END
fi
echo "reports: $reports"
exit "$failed"
