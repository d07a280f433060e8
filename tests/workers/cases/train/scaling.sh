#!/usr/bin/env bash
# rv-train --scaling times one rank by itself and then all ranks. The extra timed steps do not change the weights.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --local-ranks 2 --model transformer --steps 4 --json
plain=$(checksum)
exits 0 worker --device cpu --local-ranks 2 --model transformer --steps 4 --scaling --checkpoint scaled --results results.json --json
equal "bits where one rank was timed alone" "$plain" "$(checksum)"
says "the efficiency is that of the two rates" 'd["one_rank_samples_per_second"] > 0 and
  abs(d["scaling_efficiency"] - d["throughput_samples_per_second"] / 2 / d["one_rank_samples_per_second"]) < 1e-9' results.json
exits 77 worker --device cpu --local-ranks 2 --model transformer --steps 4 --scaling --checkpoint scaled --json
equal "bits after the timed steps" "$plain" "$(checksum)"
