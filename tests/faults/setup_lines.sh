#!/usr/bin/env bash
# Set-up lines that change their shell don't disturb the command or its exit code. Set-up lines that fail end the run with an
# outcome of their own.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # the lines expand on the node
source "$(dirname "$0")/lib.sh"

mkdir -p "$RV_HOME"
# lines LINE…: the site's set-up.
lines() { python3 -c 'import json, sys; print("setup:", json.dumps(sys.argv[1:]))' "$@" >"$RV_HOME/config.yaml"; }
shapes=(plain several chain array)
# with SHAPE: rv's options for a run of that shape.
with() {
  case $1 in
    plain) echo "" ;;
    several) echo "--procs-per-node 2" ;;
    chain) echo "--checkpoint --segment-time 10m" ;;
    array) echo "--array 0-0" ;;
  esac
}
count=0
# ends WHAT SHAPE COMMAND…: a run with these lines; its name is in $name, its state and exit code in $ended.
ends() {
  local what=$1
  name=run-$((count += 1))
  # shellcheck disable=SC2046 # several options
  rv run -g 1 --type a40 --time 20m --name "$name" $(with "$2") -- "${@:3}" >"$work/out" 2>"$work/err" || fail "$what, $2: rv run"
  wait_for 90 over "$name" || fail "$what, $2: not over: $(rv show "$name")"
  ended="$(field "$name" "['state']") $(field "$name" "['exit_code']")"
}

everything=(
  'for fd in /proc/self/fd/*; do fd=${fd##*[!0-9]}; if ((fd > 2 && fd < 200)); then eval "builtin exec $fd>&-"; fi; done'
  'set -efuC; set -o pipefail; shopt -s failglob nocasematch extdebug expand_aliases execfail'
  'IFS=/; alias cd=false printf=false'
  'exit() { :; }; exec() { :; }; read() { :; }; printf() { :; }; kill() { :; }; trap() { :; }; set() { :; }; [() { return 1; }'
  'builtin trap "echo trapped" EXIT DEBUG ERR RETURN; builtin trap "" TERM USR1 HUP'
  'umask 077; ulimit -c 0; export FROM_SETUP=here PATH=$PATH:/from/setup; shared() { builtin echo "a function"; }; export -f shared'
  'rv_run_dir=; RV_RUN_DIR_OF_SITE=x; set_by_site() { builtin return 0; }'
  'return 0'
  'false'
)
for shape in "${shapes[@]}"; do
  lines "${everything[@]}"
  ends "lines that change everything" "$shape" bash -c '[ "${RANK:-0}" = 0 ] || exec sleep 60; shared >got; echo "$FROM_SETUP ${PATH##*:} $(umask) $(ulimit -c)" >>got; echo x >>runs; exit 7'
  equal "$shape: state" "failed 7" "$ended"
  equal "$shape: what reaches the command" "a function here /from/setup 0077 0" "$(tr '\n' ' ' <got | sed 's/ $//')"
  rm got
done
runs_before=$(lines_in runs)
lines 'false' 'exit 0'
ends "exit 0" plain touch never
equal "exit 0 in the lines" "failed 1" "$ended"
lines 'if then'
ends "a syntax error" plain touch never
equal "a syntax error in the lines" "failed 1" "$ended"
lines 'set -n'
ends "set -n" plain touch never
equal "set -n in the lines" "failed 1" "$ended"
for shape in "${shapes[@]}"; do
  lines 'echo before' 'echo "no module cuda/99" >&2; exit 3'
  ends "lines that fail" "$shape" touch never
  equal "$shape: lines that fail" "failed 1" "$ended"
  contains "$shape: show" "set-up lines" "$(rv show "$name")"
  contains "$shape: show" "no module cuda/99" "$(rv show "$name")"
  contains "$shape: why" "no module cuda/99" "$(rv why "$name")"
  equal "$shape: cause" set_up "$(rv why "$name" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["cause"])')"
done
[ ! -e never ] || fail "the command began"
equal "executions" "$runs_before" "$(lines_in runs)"
# A function that the lines define is a command, as module is.
lines 'own_module() { echo "own $*" >own; }' 'cd /'
ends "a function" plain own_module a b
equal "a function: state" "done 0" "$ended"
