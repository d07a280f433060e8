#!/usr/bin/env bash
# Records the output of a release of Slurm for the parsers' tests (tests/data/slurm): starts a sandbox of that release with jobs in
# every state and hostile names (scenario.sh), and runs each query of questions.tsv, also without the database, with a silent
# controller and without a controller. Takes about two minutes, as root. usage: tests/recording/record.sh [--slurm DIR] [--into FOLDER]
# DIR contains a release in its bin and sbin (default: the machine's own Slurm).
# FOLDER receives the recording (default: tests/data/slurm/RELEASE).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

release=() into=''
while [ "$#" -gt 0 ]; do
  case $1 in
    --slurm) release=(--slurm "${2:?--slurm needs a folder}") && shift 2 ;;
    --into) into=$(readlink -m "${2:?--into needs a folder}") && shift 2 ;;
    *) sed -n 's/^# //p' "$0" | head -n 5 >&2 && exit 2 ;;
  esac
done

# Nothing of this machine is in a recording: a name, a folder and its own time zone.
if [ -z "${RV_RECORDING:-}" ]; then
  words=("${release[@]}" ${into:+--into "$into"})
  exec env -i PATH="$PATH" HOME=/root LC_ALL=C TZ=UTC RV_RECORDING=1 unshare --uts bash "$here/record.sh" "${words[@]}"
fi
hostname recording

sandbox=$root/examples/sandbox/sandbox
folder=/tmp/rv-recording
[ ! -e "$folder" ] || { echo "$folder is there: another recording is at work, or: sandbox down --dir $folder" >&2 && exit 1; }
work=$(mktemp -d /tmp/rv-recording-out-XXXXXX)
clean_up() {
  local code=$?
  [ "$code" -eq 0 ] || { cat "$work/log" && tail -n 5 "$folder/log/slurmctld.log"; } >&"$user" || true
  "$sandbox" down --dir "$folder" >/dev/null
  rm -rf "$work"
  exit "$code"
}
exec {user}>&1 # messages for the user; all else goes to a log, which is shown if a command fails
trap clean_up EXIT
tell() { echo "$*" >&"$user"; }
exec >"$work/log" 2>&1

# shellcheck source=tests/assertions.sh
. "$root/tests/assertions.sh"
# shellcheck source=tests/recording/scenario.sh
. "$here/scenario.sh"

# as_expected: every job is in the state that is expected of it; those that are not yet are named in $work/late.
as_expected() {
  squeue -h -t all -o '%i %T' >"$work/states"
  : >"$work/late"
  local row id state name
  for row in "${expected[@]}"; do
    read -r id state name <<<"$row"
    # A job of several parts is known by its first.
    grep -qE "^$id(\+0)? $state\$" "$work/states" ||
      echo "$name is not $state: $(grep -E "^$id(\+0)? " "$work/states")" >>"$work/late"
  done
  [ ! -s "$work/late" ]
}

# settle SECONDS COMMAND: until it finds all as expected.
settle() {
  wait_for "$1" "$2" || { cat "$work/late" >&2 && fail "the scenario does not come about"; }
}
started_again_as_expected() { start_again && as_expected; }

# ask FILE COMMAND: keeps the stream that the file's name ends with, and the exit code in the list.
ask() {
  local code=0
  bash -c "$2" >"$work/$1.out" 2>"$work/$1.err" </dev/null || code=$?
  mv "$work/$1.${1##*.}" "$work/answers/$1"
  printf '%s\t%s\n' "$1" "$code" >>"$work/asked"
}

# ask_all WHEN [beside]: the questions of that time; beside each other where each of them waits in vain.
ask_all() {
  local file when command
  while IFS=$'\t' read -r file when command; do
    [ "$when" = "$1" ] || continue
    if [ "$#" -gt 1 ]; then ask "$file" "$command" & else ask "$file" "$command"; fi
  done <"$here/questions.tsv"
  wait
}

# Limits of every kind, of a user and of a QOS that somebody has used.
set_limits() {
  sacctmgr -i add qos narrow
  sacctmgr -i modify account lab set qos+=narrow
  sacctmgr -i modify qos narrow set GrpTRES=gres/gpu=4 MaxTRESPerAccount=gres/gpu=5 MaxTRESPerUser=gres/gpu=1 MaxJobsPU=7 \
    MaxSubmitJobsPU=9 MaxWall=90
  wait_for 20 sbatch --parsable -o /dev/null -H -J narrow "${gpu[@]}" --qos=narrow --gres=gpu:1 -t 10 "$long" 2>/dev/null
  sacctmgr -i modify qos narrow set MaxTRESPerJob=gres/gpu=2,mem=10G MaxTRESPerNode=cpu=3 MinTRESPerJob=gres/gpu=1
  sacctmgr -i modify user root where account=lab set MaxJobs=5 MaxSubmitJobs=6 MaxWall=120 MaxTRESPerJob=gres/gpu=3 \
    GrpTRES=mem=20480
  wait_for 20 knows_limits || fail "the controller does not hear of the limits"
}
knows_limits() {
  scontrol show assoc_mgr users=root flags=assoc,qos >"$work/limits"
  grep -q 'MaxWallPJ=120' "$work/limits" && grep -q 'MinTRESPJ=gres/gpu=1' "$work/limits"
}

no_accounting() { ! timeout 5 sacctmgr -n show cluster; }
accounting_has_the_ends() {
  [ "$(sacct -X -P -n -j "${ids[timeout]},${ids[requeue_ok]}" -o State | sort | tr '\n' ' ')" = 'COMPLETED TIMEOUT ' ]
}
preempted() { [ "$(squeue -h -j "${ids[high]}" -o %T)" = RUNNING ]; }

make_scenario() {
  sacctmgr -i modify account tiny set qos=normal GrpTRES=gres/gpu=1
  reserve
  submit_those_that_end
  submit_those_that_run
  submit_odd_names
  expect_the_running
  settle 60 as_expected
  submit_those_that_wait
  interfere
  wait_for 60 preempted || fail "nothing is preempted"
  scontrol update nodename=udc-cpu-3 state=resume || true # some releases have it back already
  scontrol update partitionname=low state=down
  job p_partdown -J p_partdown -A lab -p low "$long"
  expect_the_end
  settle 150 started_again_as_expected
  wait_for 20 accounting_has_the_ends || fail "accounting does not hear of the ends"
}

"$sandbox" up --shape "$here/cluster.yaml" --dir "$folder" "${release[@]}"
eval "$("$sandbox" env --dir "$folder")"
mkdir "$work/answers" "$folder/jobs"
cd "$folder/jobs"
version=$(sinfo --version | cut -d' ' -f2)
: "${into:=$root/tests/data/slurm/$version}"

make_scenario
tell "$version: all jobs are as they should be, after $SECONDS s"
ask_all now
set_limits
ask_all limited
"$sandbox" daemon kill slurmdbd --dir "$folder"
wait_for 20 no_accounting || fail "the database does not go"
ask_all no_database beside
kill -STOP "$(<"$folder/run/slurmctld.pid")"
ask_all silent beside
kill -CONT "$(<"$folder/run/slurmctld.pid")"
"$sandbox" daemon kill slurmctld --dir "$folder"
ask_all no_controller beside

mkdir -p "$into"
cp "$work/answers/"* "$into/"
{ printf 'file\texit\n' && sort "$work/asked"; } >"$into/MANIFEST.tsv"
tell "$version: $(find "$into" -type f | wc -l) files in $into, after $SECONDS s"
