#!/usr/bin/env bash
# rv sweep over rv-envs on the host's processor reads its figures, and recognises values that do not fit into memory.
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"
worker=$(dirname "$RV")/../workers/rv-envs
export RV_CHECKPOINT_DIR=$work/checkpoint # as in a run: no point goes on from another's

exits 0 sweep --over envs=2,4,16000000 --report-dir r -- "$worker" --device cpu --task flat --iterations 2 --num-envs '{envs}'
says ends '[p["end"]["kind"] for p in d["points"]] == ["done", "done", "host-out-of-memory"]' r/results.json
says "why" '"out_of_host_memory: 16,000,000 environments need" in d["points"][2]["end"]["evidence"]' r/results.json
says "the log's figures" 'all(p["metrics"][name]["last"] > 0 for p in d["points"][:2] for name in ("steps_per_s", "collection_s", "learning_s", "iteration_s", "training_s"))' r/results.json
says "timesteps" '[p["metrics"]["timesteps_per_iteration"]["last"] for p in d["points"][:2]] == [48, 96]' r/results.json
says "its own figures" 'all("tracking_error" in p["metrics"] and "kl" in p["metrics"] for p in d["points"][:2])' r/results.json
says "nothing of what did not run" '"steps_per_s" not in d["points"][2]["metrics"]' r/results.json
contains "the largest" "envs 4 (envs 4 ran; envs 16,000,000 did not: exit code 4" "$out"
[ ! -e "$RV_CHECKPOINT_DIR" ] || fail "a point has saved"
