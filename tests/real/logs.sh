#!/usr/bin/env bash
# rv logs prints output in the order of writing, or by stream, node and tail; rv show lists the events of the run in order.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 rv run -f --fanout 1 --time 5m --name talk bash -c 'seq 5; echo oops >&2'
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

# One file keeps the order of writing: what is not streamed, or streamed to one place.
# shellcheck disable=SC2016 # expands in the job
both='for i in 1 2 3; do echo out $i; echo err $i >&2; done'
exits 0 rv run --time 5m --name order --json bash -c "$both"
exits 0 rv wait order
exits 0 rv logs order
equal "in the order of writing" "out 1 err 1 out 2 err 2 out 3 err 3" "$(paste -sd' ' <<<"$out")"
equal "nothing apart" "" "$err"
exits 2 rv logs order --err
contains "refusal" "has stdout and stderr in one file" "$err"
contains "refusal" "--separate-stderr" "$err"
rv run -f --time 5m --name one-place bash -c "$both" >"$work/both" 2>&1
equal "streamed to one file" "out 1 err 1 out 2 err 2 out 3 err 3" "$(grep -E '^(out|err) ' "$work/both" | paste -sd' ')"
exits 0 rv run --time 5m --name apart --separate-stderr bash -c "$both"
exits 0 rv wait apart
exits 0 rv logs apart
equal "apart, stdout" "out 1 out 2 out 3" "$(paste -sd' ' <<<"$out")"
equal "apart, stderr" "err 1 err 2 err 3" "$(paste -sd' ' <<<"$err")"

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
equal "folded as it comes" "$(printf 'start\n100%%\nend without newline')" "$out"
contains "folded as it comes, stderr" "$(printf 'start\n100%%\nend without newline')" "$err"
exits 0 rv run -f --raw --time 5m bash -c 'printf " 10%%\r 50%%\r100%%\n"'
equal "raw as it comes" "$(printf ' 10%%\r 50%%\r100%%')" "$out"
exits 0 rv logs bars
equal "folded" "$(printf 'start\n100%%\nend without newline')" "$out"
equal "folded, stderr" "$(printf 'start\n100%%\nend without newline')" "$err"
exits 0 rv logs bars --raw --out
equal "raw" "$(printf 'start\n 10%%\r 50%%\r100%%\nend without newline')" "$out"
exits 0 rv logs -f bars --out
equal "folded, followed" "$(printf 'start\n100%%\nend without newline')" "$out"
