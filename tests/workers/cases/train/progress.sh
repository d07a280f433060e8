#!/usr/bin/env bash
# rv-train shows its progress on a terminal in one line that it overwrites.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

long=(--device cpu --local-ranks 1 --quick --step-seconds 0.1)
exits 0 on_terminal env TERM=xterm "$RV" "${long[@]}"
has_line shown $'\r\e\\[Krv-train: training step [0-9]+ of 32\r' "$out"
# Nothing of it is left before the report.
has_line shown $'\r\e\\[K\r?$' "$(grep -B1 TRAIN <<< "$out" | head -n 1)"
exits 0 on_terminal env TERM=dumb "$RV" "${long[@]}"
lacks shown 'training step' "$out"
exits 0 worker "${long[@]}"
equal "stderr of a training that is over in half a minute" "" "$err"
