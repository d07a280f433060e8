#!/usr/bin/env bash
# templates/chain/process_tree.inc.sh finds the processes of a command: with the job in a cgroup (both versions; only the cgroup
# files are simulated) and without, with the system's awk and grep and with busybox's.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
# Each case is a shell of its own, as a batch script is: process_tree.sh CASE WHAT LAYOUT
work=${RV_TREE_TEST:-$(mktemp -d "${TMPDIR:-/tmp}/rv-tree-XXXXXX")}
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
started=()
clean_up() {
  local code=$?
  code=$(end_code "$code")
  [ "${#started[@]}" -eq 0 ] || kill -KILL "${started[@]}" 2>/dev/null
  [ "$code" -eq 0 ] || cat "$work/said" 2>/dev/null
  [ -n "${RV_TREE_TEST:-}" ] || drop_work "$code"
}
trap clean_up EXIT
goes_on=yes

# The names of processes, in order, for the IDs in $1.
named() {
  local id file names=()
  for id in $1; do
    for file in "$work"/ids/*; do [ "$(<"$file")" != "$id" ] || names+=("${file##*/}"); done
  done
  [ "${#names[@]}" -eq 0 ] || printf '%s\n' "${names[@]}" | sort | tr '\n' ' '
}
id_of() { cat "$work/ids/$1"; }
# is NAME: this process has that name.
is() { echo "$BASHPID" >"$work/ids/.$1" && mv "$work/ids/.$1" "$work/ids/$1"; }
wait_for_id() {
  wait_for 60 test -s "$work/ids/$1" || fail "no process $1"
  started+=("$(id_of "$1")")
}
not_there() { ! kill -0 "$1" 2>/dev/null; }
gone() {
  wait_for 10 not_there "$1" || fail "process $1 is still there"
}
# in_group NAME STEP: the process's cgroup, in the format of /proc/PID/cgroup.
in_group() {
  mkdir -p "$work/proc/$(id_of "$1")"
  # shellcheck disable=SC2059
  printf "$layout" "$2" >"$work/proc/$(id_of "$1")/cgroup"
}
# A program that has set its title, in its own session, and whose parents were gone before anybody saw them.
titled_daemon() { python3 "$root/tests/templates/titled_sleeper.py" --daemon "$work/ids/$1" </dev/null >/dev/null 2>&1; }

begin() {
  rm -rf "$work/ids" "$work/proc" "$work/chain"
  mkdir -p "$work/ids" "$work/proc" "$work/chain"
  chain=$work/chain rv_node=n1 rv_mark=$1
  export SLURM_JOB_ID=4711 SLURM_JOB_SLUID=sEKNKTV4711V00 RV_RUN_ID=k3f9x2
  # shellcheck source=templates/chain/process_tree.inc.sh
  source "$root/templates/chain/process_tree.inc.sh"
  # shellcheck disable=SC2317
  rv_write() { printf '%s\n' "$2" >"$1.$SLURM_JOB_ID" && mv -f "$1.$SLURM_JOB_ID" "$1"; }
  is script
}
# rv_tracked COMMAND…: becomes the command, as rv_become_command does once the script has it on record.
rv_tracked() {
  rv_track "$BASHPID"
  trap - TERM USR1
  exec env RV_TREE="$RV_RUN_ID.$rv_mark." "$@"
}
export -f is titled_daemon
export root work

in_a_cgroup() {
  begin 4711.1.0
  rv_proc=$work/proc
  in_group script step_batch
  # Processes left by the site's set-up lines, another user's shell, and another job's process.
  titled_daemon setup && wait_for_id setup && in_group setup step_batch
  sleep 600 >/dev/null 2>&1 & echo $! >"$work/ids/helper" && wait_for_id helper && in_group helper step_batch
  ( (is entered && exec env SLURM_JOB_ID=4711 sleep 600) >/dev/null 2>&1 &) && wait_for_id entered && in_group entered step_1
  ( (is other && exec env SLURM_JOB_ID=47 sleep 600) >/dev/null 2>&1 &) && wait_for_id other
  mkdir -p "$work/proc/$(id_of other)"
  # shellcheck disable=SC2059
  printf "${layout//4711/47}" step_batch >"$work/proc/$(id_of other)/cgroup"
  rv_scan
  equal "$1: before the command" "" "$(named "$rv_found")"
  rv_tracked bash -c 'is command && titled_daemon daemon && titled_daemon of_a_step && exec sleep 600' >/dev/null 2>&1 &
  wait_for_id command && in_group command step_batch
  wait_for_id daemon && in_group daemon step_batch
  wait_for_id of_a_step && in_group of_a_step step_2
  ( (is visitor && exec env SLURM_JOB_ID=4711 sleep 600) >/dev/null 2>&1 &) && wait_for_id visitor && in_group visitor step_3
  rv_scan
  equal "$1: the command's" "command daemon of_a_step " "$(named "$rv_found")"
  rv_mark=""
  rv_scan
  equal "$1: a shell without a mark" "" "$rv_found"
  rv_mark=4711.1.0
  rv_clear_tree
  gone "$(id_of daemon)" && gone "$(id_of of_a_step)"
  kill -0 "$(id_of setup)" "$(id_of entered)" "$(id_of visitor)" "$(id_of helper)" "$(id_of other)" || fail "$1: ended what is not the command's"
  equal "$1: nothing is left of its records" "" "$(find "$chain" -name '.tree*')"
}

foreign_command() {
  local chain=$work/chain/of_another RV_RUN_ID=a1b2c3
  mkdir "$chain"
  rv_tracked bash -c 'is foreign && exec sleep 600' >/dev/null 2>&1
}

without_a_cgroup() {
  begin 4711.1.0
  titled_daemon setup && wait_for_id setup
  # Another cluster's job of that number, on the same machine.
  foreign_command &
  wait_for_id foreign
  # The launcher's worker is seen once before the launcher ends; the other guard's shell did not see it.
  trap '' TERM USR1 # as while a segment ends; the next one's command must not begin so
  # shellcheck disable=SC2016
  rv_tracked bash -c '
    is command
    setsid bash -c "is launcher; python3 \"$root/tests/templates/titled_sleeper.py\" \"$work/ids/worker\" & exec sleep 600" &
    (setsid bash -c "is marked; exec sleep 600" &)
    trap "echo caught >>\"$work/caught\"" USR1
    while :; do wait; done' >/dev/null 2>&1 &
  wait_for_id command && wait_for_id launcher && wait_for_id worker && wait_for_id marked
  rv_scan
  equal "$1: the command's" "command launcher marked worker " "$(named "$rv_found")"
  (rv_seen="" && rv_remember)
  kill -KILL "$(id_of launcher)"
  gone "$(id_of launcher)"
  rv_seen=""
  rv_scan
  equal "$1: whose parent is gone" "command marked worker " "$(named "$rv_found")"
  # A PID proves nothing by itself, because PIDs are reused.
  (
    rm "$chain"/.tree.*.seen
    printf 'k %s 1\n' "$(id_of setup)" >"$chain/.tree.4711.1.0.7"
    rv_seen=""
    rv_scan
    lacks "$1: a later process of that number" setup "$(named "$rv_found")"
  ) || exit 1
  rm -f "$work/caught" "$chain/.tree.4711.1.0.7"
  rv_warn_tree USR1
  wait_for 60 test -s "$work/caught" || fail "$1: nobody is warned"
  sleep 0.3 # a process warned by mistake would write by then
  equal "$1: only who catches it" "caught" "$(cat "$work/caught")"
  rv_scan
  contains "$1: the signal ended none that has no handler for it" marked "$(named "$rv_found")"
  rv_clear_tree
  gone "$(id_of worker)" && gone "$(id_of marked)" && gone "$(id_of command)"
  kill -0 "$(id_of setup)" "$(id_of foreign)" || fail "$1: ended what is not the command's"
}

# A program that is just starting when the warning comes has no handler yet: it is warned when it has, once, and what it starts
# then is not.
late_handler() {
  local round
  begin 4711.1.0
  # shellcheck disable=SC2016
  rv_tracked bash -c '
    is command
    until [ -e "$work/go" ]; do sleep 0.05; done
    trap "echo warned >>\"$work/warned\"; [ -e \"$work/ids/child\" ] || bash -c \"trap \\\"echo child >>$work/warned\\\" USR1; is child; while :; do sleep 0.05; done\" &" USR1
    : >"$work/ready"
    while :; do sleep 0.05; done' >/dev/null 2>&1 &
  wait_for_id command
  rv_warn_tree USR1
  : >"$work/go"
  wait_for 60 test -e "$work/ready" || fail "$1: the command does not begin"
  rv_warn_tree USR1
  wait_for_id child
  for round in 1 2 3; do rv_warn_tree USR1; sleep 0.1; done
  equal "$1: warned after round $round" warned "$(cat "$work/warned")"
  rv_clear_tree
}

if [ "$#" -gt 0 ]; then
  set +e # as in a job
  layout=$3
  "$1" "$2" 2>"$work/said" # bash prints there which of its children were killed
  exit 0
fi
v1='12:cpuset:/slurm/uid_1000/job_4711/%s/task_0\n4:memory:/slurm/uid_1000/job_4711/step_x\n0::/\n'
v2='0::/system.slice/n1\\x2dslurmstepd.scope/job_4711/%s/user/task_0\n'
# 26.05, whose environment has SLURM_JOB_SLUID.
v2_sluid='0::/system.slice/n1\\x2dslurmstepd.scope/sEKNKTV4711V00/%s/user/task_0\n'
mkdir "$work/busybox"
for tool in awk grep cat; do ln -s "$(command -v busybox)" "$work/busybox/$tool"; done
export RV_TREE_TEST=$work
for tools in system busybox; do
  [ "$tools" = system ] || PATH=$work/busybox:$PATH
  bash "$0" in_a_cgroup "$tools, cgroup v1" "$v1"
  bash "$0" in_a_cgroup "$tools, cgroup v2" "$v2"
  bash "$0" in_a_cgroup "$tools, cgroup v2 of 26.05" "$v2_sluid"
  bash "$0" without_a_cgroup "$tools, no cgroup" ""
  rm -f "$work/go" "$work/ready" "$work/warned"
  bash "$0" late_handler "$tools, a late handler" ""
done
echo ok
