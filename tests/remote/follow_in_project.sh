#!/usr/bin/env bash
# A lost connection does not end the following of a run whose files are named relative to the project, even if they are removed
# meanwhile: the run is found again, its command is started once, and each line arrives once.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
laptop git init -q net
laptop bash -c "cd net && cat >count.sh && chmod 755 count.sh && cp count.sh count.sbatch && printf '%s\n' a b >values" <<S
#!/bin/bash
#SBATCH --time=5
#SBATCH --gpus=1
echo ran >>"$work/ran"
n=0
until [ -e "$work/enough" ]; do
  n=\$((n + 1))
  echo "line \$n"
  sleep 0.05
done
echo "\$n" >"$work/lines.new" && mv "$work/lines.new" "$work/lines"
exit 7
S

lines() { [ "$(grep -c '^line' "$work/out")" -ge "$1" ]; }
has_run() { [ -s "$work/ran" ]; }
cut_off() { laptop pkill -KILL -u "$(user laptop)" -x ssh; }
lost() { [ "$(grep -c "the connection to loop is lost" "$work/err")" -ge "$1" ]; }
# begins COMMAND…: in the project; returns when its job has started.
begins() {
  rm -f "$work/enough" "$work/lines" "$work/ran"
  in_background inside net "$work/rv" -H loop "$@"
  client=$!
  wait_for 30 has_run || fail "$*: does not start: $(<"$work/err")"
}
# ends CODE WHAT: once the job may end.
ends() {
  local code=0
  touch "$work/enough"
  wait "$client" || code=$?
  equal "exit code of $2" "$1" "$code"
  lacks "$2" "does not exist" "$(<"$work/err")"
  contains "$2" "the connection to loop is lost" "$(<"$work/err")"
}
# followed COMMAND…: its connection is lost twice.
followed() {
  begins "$@"
  wait_for 30 lines 5 || fail "$*: no lines: $(<"$work/err")"
  wait_for 30 cut_off || fail "no ssh to kill"
  wait_for 30 lost 1 || fail "$*: not noticed"
  wait_for 30 lines "$(($(grep -c '^line' "$work/out") + 10))" || fail "$*: no more lines: $(<"$work/err")"
  wait_for 30 cut_off || fail "no ssh to kill"
  ends 7 "$*"
  equal "lines of $*" "$(seq -f 'line %g' "$(<"$work/lines")")" "$(grep '^line' "$work/out")"
  equal "executions of $*" 1 "$(wc -l <"$work/ran")"
}

followed run -f -g 1 --time 5m --name count ./count.sh
followed rerun -f count
followed run -f -g 1 --time 5m bash count.sh
followed run -f count.sbatch
followed run -f --snapshot -g 1 --time 5m ./count.sh
followed up -g 1 --time 5m --run ./count.sh

# The tasks of a list, whose file is gone by then.
begins map -f -g 1 --time 5m -a values -- ./count.sh '{}'
find "$work/home/projects" -name values -delete
wait_for 30 cut_off || fail "no ssh to kill"
wait_for 30 lost 1 || fail "rv map: not noticed"
ends 1 "rv map"
contains "rv map" "2 failed" "$(<"$work/out")"
equal "executions of rv map" 2 "$(wc -l <"$work/ran")"
slurm env RV_HOME="$work/home" RV_SITE=/dev/null "$work/rv" ps -a --json >"$work/runs"
says "runs" 'len(d["runs"]) == 7' "$work/runs"
