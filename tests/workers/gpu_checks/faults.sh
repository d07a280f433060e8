# Ranks that die, hang, are slow or compute wrong results are named, and no process is left.
# shellcheck shell=bash disable=SC2154 # gpu_checks.sh sets workers, reports, gpus, root and build
check model_dies 60 3 "$workers/rv-train" --model transformer --inject die@1:30 --deadline 60 --silence 5
has model_dies 'rank 1 .* was killed by signal 9'
check model_slow 120 1 "$workers/rv-train" --model resnet18 --batch-size 128 --inject slow@1:50 --deadline 90
has model_slow 'work per step: fail, rank 1 .* took .* for the same work'
fault=(--quick --suite sweep --ops all_reduce -b 1M -e 1M --place out --deadline 30 --silence 5)
check fault_never 60 3 "$workers/rv-collective" "${fault[@]}" --inject never@1
has fault_never '1 of [0-9]+ ranks did not join .*: rank 1 '
check fault_die 60 3 "$workers/rv-collective" "${fault[@]}" --inject die@1:6
has fault_die 'rank 1 .* was killed by signal 9'
check fault_hang 60 3 "$workers/rv-collective" "${fault[@]}" --inject hang@1:6
has fault_hang 'rank 1 .* has sent no heartbeat'
check fault_corrupt 60 1 "$workers/rv-collective" "${fault[@]}" --inject corrupt@1:1234
has fault_corrupt 'rank 1 .*1 of 262144 elements are wrong, the first at index 1234'
check fault_nan 60 1 "$workers/rv-collective" "${fault[@]}" --inject nan@0:7
has fault_nan 'rank 0 .*index 7: expected .*nan'
check fault_slow 60 1 "$workers/rv-collective" --quick --suite straggler --inject slow@1:50
has fault_slow 'rank 1 .* took .* for the same work'
row nothing_left equal "processes left" "" "$(pgrep -f "$workers/rv-")"
