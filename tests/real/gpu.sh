#!/usr/bin/env bash
# rv ssh enters a node of a run, rv gpu runs nvidia-smi on all nodes in one job step, and rv cost adds up the costs of runs.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

cat >>"$RV_SITE" <<'Y'
gpus: [{name: a40, su_per_gpu_hour: 3600}]
Y
exits 122 rv gpu
exits 0 rv run -g 4 --nodes 2 -t a40 --name both --time 10m sleep 300
running() { [ "$(field both "['state']")" = running ]; }
wait_for 30 running || fail "does not run: $(rv show both)"
nodes=$(scontrol show hostnames "$(field both "['nodes']")" | paste -sd' ')

# The sandbox's GPUs have no driver. This output replaces nvidia-smi's; steps take PATH from who starts them.
exits 125 env PATH="$PATH" "$RV" gpu both
contains "no nvidia-smi" "this node has no nvidia-smi" "$err"
mkdir "$work/bin"
cat >"$work/bin/nvidia-smi" <<'S'
#!/bin/bash
echo "$SLURM_STEP_ID $*" >>"$RV_TEST_CALLS"
[ "$1" = -i ] || exit 3
for gpu in ${2//,/ }; do echo "$gpu, NVIDIA A40, 87, 20480, 46068, [N/A], 300.00, 55"; done
S
chmod +x "$work/bin/nvidia-smi"
export RV_TEST_CALLS=$work/calls
with_smi() { PATH="$work/bin:$PATH" "$@"; }
exits 0 with_smi rv gpu both
equal "GPUs of both nodes" "$(for node in $nodes; do echo "$node 0"; echo "$node 1"; done)" "$(awk 'NR > 1 { print $1, $2 }' <<<"$out")"
contains figures "87 % 20.0 of 45.0 GiB ? 55 °C" "$(tr -s " " <<<"$out")"
equal "one step for both nodes" 1 "$(cut -d' ' -f1 "$work/calls" | sort -u | wc -l)"
exits 0 with_smi rv gpu both --json
says "the document" 'len(d["gpus"]) == 4 and d["gpus"][0]["temperature_c"] == 55 and d["gpus"][0]["power_w"] is None' "$work/out"
# A GPU that is lost hides no other one; without any there is an error, in JSON, too.
mkdir "$work/lost"
cat >"$work/lost/nvidia-smi" <<'S'
#!/bin/bash
[ "$SLURMD_NODENAME" != "$RV_TEST_DEAD" ] || exit 9
echo "${2%%,*}, NVIDIA A40, 87, 20480, 46068, [N/A], 300.00, 55"
echo "Unable to determine the device handle for GPU0000:41:00.0: GPU is lost."
exit 15
S
chmod +x "$work/lost/nvidia-smi"
export RV_TEST_DEAD=none
exits 0 env PATH="$work/lost:$PATH" "$RV" gpu both
equal "the other GPU of each node" "$(for node in $nodes; do echo "$node 0"; done)" "$(awk 'NR > 1 { print $1, $2 }' <<<"$out")"
contains "the lost one" "${nodes%% *}: nvidia-smi: Unable to determine the device handle for GPU0000:41:00.0: GPU is lost." "$err"
RV_TEST_DEAD=${nodes##* } exits 0 env PATH="$work/lost:$PATH" "$RV" gpu both
contains "no word" "${nodes##* }: nvidia-smi: exit code 9" "$err"
exits 125 env PATH="$PATH" "$RV" gpu both --json
# On a terminal repeatedly, until Ctrl-C.
with_smi python3 "$root/tests/on_terminal.py" '[{"until": "Ctrl-C ends this", "times": 2}, "\u0003"]' \
  "$RV" gpu both --every 1s >typescript || true
[ "$(grep -c 'Ctrl-C ends this' typescript)" -ge 2 ] || fail "not refreshed: $(<typescript)"

# A shell on the first node, on a named node; from stdin without a terminal.
exits 0 bash -c 'echo "echo on \$SLURMD_NODENAME in \$RV_RUN_ID" | "$RV" ssh both --node '"${nodes##* }"
contains "the shell" "on ${nodes##* } in " "$out"
exits 122 rv ssh both --node "${nodes%% *}x"
contains "the nearest node" "did you mean \"${nodes%% *}\"" "$err"
code=0
{ sleep 1; echo 'tty && echo "at a terminal on $SLURMD_NODENAME"'; echo exit 4; } |
  script -qec "$RV ssh both" /dev/null >typescript || code=$?
contains "a terminal" "at a terminal on ${nodes%% *}" "$(<typescript)"
equal "exit code of the shell" 4 "$code"

exits 0 rv run -t v100 --time 5m -f true
exits 0 rv cost both --json
says "its cost" '(lambda r: abs(r["up_to_su"] - 4 * 600) < 1e-6 and 0 < r["spent_su"] < 2400)(d["runs"][0])' "$work/out"
says "its cost by the hour" '(lambda r: abs(r["spent_su"] - 3600 * r["gpu_hours"]) < 1e-6)(d["runs"][0])' "$work/out"
rv stop both >/dev/null
over() { [ "$(field both "['over']")" = True ]; }
wait_for 20 over || fail "not over"
exits 0 rv cost
equal "what is over costs what it has cost" same "$(awk '$2 == "both" { print $5 == $6 ? "same" : $0 }' <<<"$out")"
contains "a total" "total" "$out"
exits 122 rv gpu both
contains "it holds nothing" "holds no GPUs" "$err"
