#!/usr/bin/env bash
# Seed 000's matrix H1 to H7 runs through a real Slurm on a GPU host: 1,024 to 65,536 environments of rv-envs for ten iterations
# each, then a point that cannot fit, then the largest that fits. Prints the seed's table of results and the six answers. The
# host needs root, an NVIDIA driver and cuBLAS 13 (for example from python3's nvidia packages), but neither a network nor Slurm.
# usage: seed_000_on_slurm.sh [WORK_FOLDER]    (the script lies in the folder that gather.sh has made)
# Takes three minutes and writes to /opt/slurm-* and /run. Exits with 1 if a result is not as expected. COOLDOWN is the pause
# between points (default: 2s; the seed has 10s). To try the script without a GPU: DEVICE=cpu ENVS=1,2,… LARGEST=16000000.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}
: "${COOLDOWN:=2s}" "${ENVS:=1024,2048,4096,8192,16384,32768,65536}" "${LARGEST:=2097152}"
# shellcheck source=tests/gpu/one_machine.sh
source "$here/one_machine.sh"

cublas=$(python3 -c 'import glob, sysconfig; print(":".join(glob.glob(sysconfig.get_paths()["purelib"] + "/nvidia/*/lib")))')
export LD_LIBRARY_PATH=$cublas${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PATH=$here/bin:$PATH
where=()
[ "$DEVICE" = gpu ] || where=(--device cpu)
# seed VALUES: the seed's command, with those values.
seed() {
  exits 0 rv sweep --over envs="$1" -g 1 --time 10m --device "$DEVICE" --cooldown "$COOLDOWN" --every 0.1s --report-dir sweep \
    -- rv-envs --task rough --num-envs '{envs}' --iterations 10 "${where[@]}"
}
# The columns of the seed's own table, and how the point ended.
table() {
  python3 - sweep/combined_results.csv <<'PY'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
columns = [*range(rows[0].index("oom") + 1), rows[0].index("end"), rows[0].index("gpu")]
for row in rows:
    print("        " + ",".join(row[i] for i in columns))
PY
}

seed "$ENVS"
shown "$work/out"
report "rv sweep, the seed's points"
IFS=, read -ra counts <<<"$ENVS"
says "every point ran" "[(p['settings']['envs'], p['end']['kind']) for p in d['points']] == [(n, 'done') for n in '$ENVS'.split(',')]" \
  sweep/results.json
says "each has its steps per second" 'all(p["metrics"]["steps_per_s"]["last"] > 0 and p["metrics"]["training_s"]["last"] > 0 for p in d["points"])' sweep/results.json
says "ten iterations of 24 steps" 'all((p["metrics"]["timesteps"]["last"], p["metrics"]["timesteps_per_iteration"]["last"]) == (240 * int(p["settings"]["envs"]), 24 * int(p["settings"]["envs"])) for p in d["points"])' sweep/results.json
says "each was sampled" 'all(p["samples"]["figures"][f] > 0 for p in d["points"] for f in ("samples", "peak_ram_mib", "peak_process_rss_mib"))' sweep/results.json
if [ "$DEVICE" = gpu ]; then
  says "each has what it used of the GPU" 'all(p["samples"]["figures"][f] > 0 for p in d["points"] for f in ("peak_vram_mib", "peak_gpu_temp", "peak_gpu_power", "median_clock_sm_mhz"))' sweep/results.json
  says "more environments take more memory" '(lambda used: used[-1] > used[0])([p["samples"]["figures"]["peak_vram_mib"] for p in d["points"]])' sweep/results.json
  says "and are faster, up to a point" '(lambda rate: max(rate[2:]) > 1.5 * rate[0])([p["metrics"]["steps_per_s"]["last"] for p in d["points"]])' sweep/results.json
fi
for count in "${counts[@]}"; do
  for file in training.log gpu_metrics.csv cpu_metrics.csv ram_metrics.csv process_metrics.csv system_info.txt summary.txt; do
    [ -s "sweep/envs_$count/$file" ] || [ "$DEVICE-$file" = cpu-gpu_metrics.csv ] || fail "envs_$count has no $file"
  done
done

# One that cannot fit: the others are not run again.
before=$(stat -c %Y%i "sweep/envs_${counts[0]}/training.log")
seed "$ENVS,$LARGEST"
shown "$work/out"
table
says "out of memory is reported" "[p['end']['kind'] for p in d['points'] if p['settings']['envs'] == '$LARGEST'] == ['$([ "$DEVICE" = gpu ] && echo gpu || echo host)-out-of-memory']" sweep/results.json
equal "the others ran once" "$before" "$(stat -c %Y%i "sweep/envs_${counts[0]}/training.log")"
equal "six answers" 6 "$(grep -cE '^(The (largest|envs|recommended)|How|Whether) ' "$work/out" | xargs)"
contains "the smallest that did not fit" "envs $(printf "%'d" "$LARGEST" | sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta') did not" "$(tr -s ' \n' ' ' <"$work/out")"
report "$LARGEST do not fit"

# The largest that fits, found by doubling and halving.
if [ "$DEVICE" = gpu ]; then
  exits 0 rv sweep --over envs="${counts[-1]}" --find-max -g 1 --time 30m --cooldown 0 --every 0.5s --report-dir largest \
    -- rv-envs --task rough --num-envs '{envs}' --iterations 1
  shown "$work/out"
  says "found" '(lambda ends: ends["done"] and ends["gpu-out-of-memory"] and max(ends["done"]) < min(ends["gpu-out-of-memory"]) <= max(ends["done"]) * 33 / 32)({kind: [int(p["settings"]["envs"]) for p in d["points"] if p["end"]["kind"] == kind] for kind in ("done", "gpu-out-of-memory")})' largest/results.json
  report "rv sweep --find-max"
fi
wait_for 20 idle || fail "a job is left: $(squeue -h)"
