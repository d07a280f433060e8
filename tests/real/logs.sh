#!/usr/bin/env bash
# rv logs and rv show: the output apart by stream, node and tail, the whole story in order.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 rv run -f --time 5m --name talk bash -c 'seq 5; echo oops >&2'
exits 0 rv logs talk
equal stdout "1 2 3 4 5" "$(paste -sd' ' <<<"$out")"
equal stderr oops "$err"
exits 0 rv logs talk --tail 2 --out
equal tail "4 5" "$(paste -sd' ' <<<"$out")"
exits 0 rv logs talk --err
equal "--err" oops "$out"
exits 122 rv logs talk --node nosuch
exits 122 rv logs nosuch
exits 0 rv logs -f talk
equal "follow of an ended run" "1 2 3 4 5" "$(paste -sd' ' <<<"$out")"

story=$(rv show talk --json | python3 -c 'import json,sys; print(*[e["event"] for e in json.load(sys.stdin)["events"] if e["event"] != "wait_noted"])')
equal story "created intent submitted claimed started ended" "$story"
exits 0 rv show talk
contains "rv show" "exit code 0" "$out"
exits 0 rv ps
[[ "$out" != *talk* ]] || fail "an ended run is in rv ps"
exits 0 rv ps -a
contains "rv ps -a" talk "$out"

# Progress bars: their last state, unless the bytes themselves are wanted.
exits 0 rv run -f --time 5m --name bars bash -c 'printf "start\n 10%%\r 50%%\r100%%\nend without newline" | tee /dev/stderr'
exits 0 rv logs bars
equal "folded" "$(printf 'start\n100%%\nend without newline')" "$out"
equal "folded, stderr" "$(printf 'start\n100%%\nend without newline')" "$err"
exits 0 rv logs bars --raw --out
equal "raw" "$(printf 'start\n 10%%\r 50%%\r100%%\nend without newline')" "$out"
