#!/usr/bin/env bash
# A sweep reads GPU figures from a stand-in for the driver's library, also when that library disappears for a while.
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"
export LD_LIBRARY_PATH=$RV_STAND_IN_NVML STAND_IN_GPU=$work/gpu STAND_IN_PROCESSES=$work/processes

cat >train.sh <<'END'
n=$1
set_gpu() { echo "$*" >"$STAND_IN_GPU.new" && mv "$STAND_IN_GPU.new" "$STAND_IN_GPU"; }
# A container's driver lists it with a PID that does not exist here.
[ "$n" -eq 2048 ] && listed=$((1 << 22)) || listed=$$
echo "0 $listed $((n * 8 - 500))" >"$STAND_IN_PROCESSES"
set_gpu 90 40 $((n * 8)) 61 350 1700 2600 0
sleep 0.5
changed=$EPOCHREALTIME
[ "$n" -lt 4096 ] || set_gpu 99 70 $((n * 8)) 88 400 900 2600 $((0x44))
[ "$n" -ne 1024 ] || rm "$STAND_IN_GPU"
sleep 1
echo "$changed $EPOCHREALTIME" >"changed.$n"
[ ! -e "$STAND_IN_GPU" ] || { read -ra now <"$STAND_IN_GPU" && now[2]=500 && set_gpu "${now[@]}"; }
rm "$STAND_IN_PROCESSES"
echo "Steps per second: $((n * 30))"
[ "$n" -lt 8192 ] || { echo "RuntimeError: CUDA error: out of memory"; exit 1; }
END
echo "0 0 500 40 70 345 2600 1" >"$STAND_IN_GPU"
exits 0 "$RV" sweep --local --cooldown 0 --every 0.1s --over envs=1024,2048,4096,8192 --report-dir r -- bash train.sh '{envs}'
contains "VRAM and end" "The largest envs that fits on Stand-in 80GB: envs 4,096 (envs 4,096 ran, 32,768 MiB" "$out"
contains "heat" "Whether Stand-in 80GB throttles for heat: yes, for" "$out"
contains "reasons" "hardware_thermal" "$out"
contains "what is full" "122,880 steps/s, 40 %" "$out"
figure='{p["settings"]["envs"]: p["samples"]["figures"] for p in d["points"]}'
says peaks "(lambda f: f['2048']['peak_vram_mib'] == 16384 and f['2048']['peak_gpu_util'] == 90 and f['4096']['peak_gpu_temp'] == 88 and f['4096']['peak_gpu_power'] == 400 and f['4096']['least_clock_sm_mhz'] == 900 and f['4096']['vram_total_mib'] == 81920)($figure)" r/results.json
# On a busy machine a second's sleep takes longer.
read -r hot cold <changed.4096
says "seconds of heat" "-0.3 < d['points'][2]['samples']['throttled_s']['hardware_thermal'] - ($cold - $hot) < 0.6" r/results.json
says "no heat" '"hardware_thermal" not in d["points"][1]["samples"]["throttled_s"]' r/results.json
# The driver vanished during the first point: everything else was sampled, and the time is recorded.
read -r gone _ <changed.1024
says "since when" "[(m['source'], m['until']) for m in d['points'][0]['samples']['missing']] == [('gpu 0', None)] and -0.2 < d['points'][0]['samples']['missing'][0]['since'] - $gone < 0.7" r/results.json
says "what is left" 'd["points"][0]["samples"]["figures"]["samples"] > 10 and d["points"][0]["samples"]["figures"]["peak_vram_mib"] == 8192' r/results.json
says "was back" '[m["until"] is not None for m in d["points"][1]["samples"]["missing"] if m["source"] == "gpu 0"] == [True] and d["points"][2]["samples"]["missing"] == []' r/results.json
# The processes' own memory; if it is unknown, that is not 0.
says "of the processes" "(lambda f: [f[n].get('peak_process_gpu_mib') for n in ('1024', '4096')])($figure) == [7692, 32268]" r/results.json
says "unknown" '[(m["source"], m["why"]) for m in d["points"][1]["samples"]["missing"]][1:] == [("processes of gpu 0", "the driver lists process 4194304, which does not exist here: it uses another PID namespace")]' r/results.json
says "no word of it" "max([float(line.split(',')[7] or -1) for line in open('r/envs_2048/process_metrics.csv').readlines()[1:]]) <= 0" r/results.json
contains "and on the page" "Not sampled: processes of gpu 0" "$(<r/report.html)"
contains "on the page" "Not sampled: gpu 0" "$(<r/report.html)"
contains "a row" "900,2600,software_power_cap+hardware_thermal" "$(<r/envs_4096/gpu_metrics.csv)"
