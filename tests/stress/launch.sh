#!/usr/bin/env bash
# rv stress --launch runs the user's launcher on one GPU, all, none and some, and reports which GPUs it was given and used, its
# messages and how it ended.
# shellcheck source=tests/stress/lib.sh
source "$(dirname "$0")/lib.sh"
export LD_LIBRARY_PATH=$RV_STAND_IN_NVML STAND_IN_GPUS=4 STAND_IN_PROCESSES=$work/processes

# A launcher that is on each GPU that it was given, as the driver lists it.
cat >good.sh <<'END'
#!/usr/bin/env bash
echo "CUDA_VISIBLE_DEVICES: $CUDA_VISIBLE_DEVICES"
for gpu in ${CUDA_VISIBLE_DEVICES//,/ }; do echo "$gpu $$ 1" >>"$STAND_IN_PROCESSES"; done
[ -n "$CUDA_VISIBLE_DEVICES" ] || echo "⚠️ No GPUs detected - falling back to CPU mode"
sleep 1
END
chmod +x good.sh
launch() { "$RV" stress --local --skip-stress "$@"; }

exits 0 launch --launch ./good.sh --subset 0,2 --report-dir r
says configurations '[(l["configuration"], l["cuda_visible_devices"]) for l in d["nodes"][0]["launches"]] == [("single", "0"), ("all", "0,1,2,3"), ("cpu", ""), ("subset-0,2", "0,2")]' r/stress.json
says used '[[u[-1] for u in l["used"]] for l in d["nodes"][0]["launches"]] == [["0"], ["0", "1", "2", "3"], [], ["0", "2"]]' r/stress.json
says messages '[m["class"] for m in d["nodes"][0]["launches"][2]["messages"]] == ["good", "warning"]' r/stress.json
contains "the rate" "configurations that passed: 4 of 4 (100 %, at least 50 %)" "$out"

# Another list is given on: places become its entries.
CUDA_VISIBLE_DEVICES=3,1,2 exits 0 launch --launch ./good.sh --report-dir r
says places '[l["cuda_visible_devices"] for l in d["nodes"][0]["launches"]] == ["3", "3,1,2", "", "3,2"]' r/stress.json

# Slices of MIG, by their UUIDs.
# shellcheck disable=SC2016 # expands in the command
STAND_IN_MIG=1 STAND_IN_GPUS=1 exits 0 launch --launch 'echo "slice $CUDA_VISIBLE_DEVICES"' --report-dir r
says slices '[l["cuda_visible_devices"] for l in d["nodes"][0]["launches"]] == ["MIG-stand-in-0", "MIG-stand-in-0,MIG-stand-in-1", ""]' r/stress.json
says "used GPUs are unknown" 'all(l["used"] is None for l in d["nodes"][0]["launches"])' r/stress.json

# One that takes what it was not given, does not end, leaves a process, ends badly: each is said, and fails it.
# It sleeps for seconds that no other test does: that is looked for among all processes of the machine.
cat >bad.sh <<END
#!/usr/bin/env bash
case \$CUDA_VISIBLE_DEVICES in
0) echo "1 \$\$ 1" >>"\$STAND_IN_PROCESSES"; sleep 1 ;;
0,1,2,3) sleep 4721.$$ ;;
"") (setsid sleep 4722.$$ &) ;;
1) kill -SEGV \$\$ ;;
2) echo "GPU allocation deadlock detected" ;;
*) exit 3 ;;
esac
END
chmod +x bad.sh
exits 1 launch --launch ./bad.sh --subset 1 --subset 2 --subset 0,3 --launch-timeout 3s --junit j.xml
contains "not given" "it used GPUs that it was not assigned: GPU-stand-in-1" "$out"
contains "no end" "it did not end within 3 s, and was ended" "$out"
contains "left" "left behind, and ended: " "$out"
contains "signal" "signal 11 ended it" "$out"
contains "critical" "its output has, in line 1: GPU allocation deadlock detected" "$out"
contains "exit code" "it ended with exit code 3" "$out"
contains "the rate" "0 of 6 (0 %) configurations of the launcher passed; at least 50 % must pass" "$out"
contains "JUnit" 'name="launch all"' "$(<j.xml)"
! pgrep -f "sleep 472[12].$$\$" >/dev/null || fail "a process is left: $(pgrep -af "sleep 472[12].$$\$")"

# Half is enough; a site's own messages count.
cat >half.sh <<'END'
[ -n "$CUDA_VISIBLE_DEVICES" ] || exit 1
END
STAND_IN_GPUS=1 exits 0 launch --launch 'bash half.sh'
STAND_IN_GPUS=1 exits 1 launch --launch 'bash half.sh' --min-launch 51
printf 'stress_messages: {critical: ["licence lost"]}\n' >>"$RV_SITE"
STAND_IN_GPUS=1 exits 1 launch --launch 'echo "Licence LOST"'
contains "the site's" "its output has, in line 1: Licence LOST" "$out"
printf 'stress_messages: {fatal: [x]}\n' >"$RV_SITE"
exits 2 launch --launch true
contains "a wrong class" 'unknown key "fatal"' "$err"
printf 'scratch: %s/scratch\n' "$work" >"$RV_SITE"

# Workers on GPUs that no CUDA driver serves: each is named with its GPU, dealt in turn.
exits 1 "$RV" stress --local --workers 6 --duration 1s --memory 1 --report-dir r
says "in turn" '[w["gpu_index"] for w in d["nodes"][0]["workers"]] == [0, 1, 2, 3, 0, 1] and all(w["end"] == "failed" and w["reason"] for w in d["nodes"][0]["workers"])' r/stress.json
# 80 GiB less 500 MiB are free, and six workers per GPU need more.
exits 4 "$RV" stress --local --workers 24 --memory 8G
contains "refused before the start" "6 workers on GPU 0 need 156223095936 bytes, but 85375057920 are free" "$err"
