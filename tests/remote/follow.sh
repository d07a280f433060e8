#!/usr/bin/env bash
# A followed run over ssh on the real Slurm: the connection is killed while lines come, and each line arrives once, in
# order; the run happens once; a second laptop and the login node see it; times are the cluster's.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

end_test() { slurm scancel --me --quiet || true; }
slurm_login
exits 0 rv -H loop exec true
[ -z "$(laptop bash -c 'command -v squeue')" ] || fail "the laptop has Slurm"

exits 0 rv -H loop cluster --json
python3 -c 'import json,sys; assert json.load(sys.stdin)["nodes"]' <<<"$out"

mkdir "$work/project"
# Lines on both streams until the test has killed the connection often enough.
cat >"$work/project/count.sh" <<'S'
echo ran >>"$0.ran"
n=0
until [ -e "$0.enough" ]; do
  n=$((n + 1))
  echo "out $n"
  echo "err $n" >&2
  sleep 0.02
done
echo "$n" >"$0.lines"
exit 7
S
follow() {
  local code=0
  laptop "$work/rv" -H loop run -f -g 1 --time 5m --name count bash "$work/project/count.sh" \
    >"$work/followed.out" 2>"$work/followed.err" </dev/null || code=$?
  echo "$code" >"$work/followed.code"
}
: >"$work/followed.out"
follow &
cut_off() { laptop pkill -KILL -u "$(user laptop)" -x ssh; }
has() { [ "$(wc -l <"$work/followed.out")" -ge "$1" ]; }
for lines in 1 40 90; do
  wait_for 30 has "$lines" || fail "no $lines lines: $(<"$work/followed.err")"
  wait_for 30 cut_off || fail "no ssh to kill"
done
touch "$work/project/count.sh.enough"
wait
lines=$(<"$work/project/count.sh.lines")
equal "exit code" 7 "$(<"$work/followed.code")"
equal "lines of stdout" "$(seq -f 'out %g' "$lines")" "$(<"$work/followed.out")"
equal "lines of stderr" "$(seq -f 'err %g' "$lines")" "$(grep '^err' "$work/followed.err")"
contains "said so" "the connection to loop is lost" "$(<"$work/followed.err")"
equal "executions" 1 "$(wc -l <"$work/project/count.sh.ran")"

# The login node itself, and another laptop, see the same run.
id=$(slurm env RV_HOME="$work/home" "$work/rv" ps -a --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["runs"][0]["id"])')
exits 0 rv -H loop logs "$id"
equal "logs later" "$(seq -f 'out %g' "$lines")" "$out"
exits 0 rv -H loop show count
contains show "$id" "$out"

# The connection breaks before the run has an ID: the run is made once, and followed.
rm "$work/project/count.sh.ran" "$work/project/count.sh.enough"
(sleep 3 && touch "$work/project/count.sh.enough") &
: >"$work/followed.out"
follow &
session() { pgrep -f "/rv-[^ ]* --hop " >/dev/null && laptop pkill -KILL -u "$(user laptop)" -x ssh; }
wait_for 20 session || fail "no session"
wait
equal "exit code, broken at once" 7 "$(<"$work/followed.code")"
equal "lines, broken at once" "$(seq -f 'out %g' "$(<"$work/project/count.sh.lines")")" "$(<"$work/followed.out")"
equal "executions, broken at once" 1 "$(wc -l <"$work/project/count.sh.ran")"
