#!/usr/bin/env bash
# rv-envs writes its log and its results, on flat and on rough ground.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

few=(--device cpu --task flat --num-envs 4)

exits 0 worker "${few[@]}" --iterations 2 --results results.json
has_line stdout '^ *Computation: [0-9]+ steps/s \(collection: [0-9.]+s, learning [0-9.]+s\)$' "$out"
has_line stdout '^ *Total timesteps: 192$' "$out"
has_line stdout '^ *Iteration time: [0-9.]+s$' "$out"
has_line stdout '^ *Mean step reward: -?[0-9.]+$' "$out"
has_line stdout '^4 environments need 0\.0[0-9]+ GB of [0-9.]+ GB of memory, and ' "$out"
has_line stdout '^Training time: [0-9.]+ seconds$' "$out"
has_line stdout 'cpu +ppo +[0-9.]+ steps/s +pass' "$out"
says results 'd["environments"] == 4 and d["observations"] == 48 and d["task"] == "flat"' results.json
says results 'd["iterations"] == 2 and d["ranks"] == 1 and d["device"] == "cpu" and d["steps_per_second"] > 0' results.json
says "the curve" '[line["iteration"] for line in d["curve"]] == [1, 2] and
  all(line["collection_seconds"] > 0 and line["learning_seconds"] > 0 and line["kl"] >= 0 for line in d["curve"])' results.json
says "flat ground has no levels" 'd["curve"][0]["terrain_level"] is None' results.json
says "no speed is commanded" 'd["speed"] is None' results.json
exits 0 worker --device cpu --num-envs 2 --iterations 1 --results rough.json
says "rough ground" 'd["observations"] == 235' rough.json
