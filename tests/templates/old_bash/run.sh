#!/usr/bin/env bash
# Runs the rendered scripts of every kind with every bash on the machine: the installed one, those in $RV_BASHES (paths with
# colons between), and /opt/bash-*/bin/bash, where tests/packages.sh puts 5.1 and where you can put 4.2 (RHEL 7), 4.4 (RHEL 8)
# and others. The last run with 4.2.0 and 4.4.0 was on 23 November 2026: both passed. Slurm and nvidia-smi are stand-ins,
# because this tests the language of the scripts and proves nothing about Slurm. RENDER is the program that writes the scripts.
# The first bash also runs them with busybox's tools, which have fewer options than GNU's.
# usage: run.sh                       all of them
#        run.sh BASH FOLDER [TOOL…]   one of them, in FOLDER, with these tools from busybox
# shellcheck disable=SC2016  # the stand-ins expand their own variables
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
: "${RENDER:?the program render_scripts}"

if [ $# -eq 0 ]; then
  top=$(mktemp -d "${TMPDIR:-/tmp}/rv-bashes-XXXXXX")
  IFS=: read -r -a bashes <<<"$(command -v bash):${RV_BASHES:-}"
  bashes+=(/opt/bash-*/bin/bash)
  failed=0 count=0
  # one WHAT BASH [TOOL…]
  one() {
    local what=$1
    shift
    count=$((count + 1))
    if bash "$0" "$1" "$top/$count" "${@:2}" >"$top/said" 2>&1; then
      echo "$what: passed"
    else
      failed=$((failed + 1))
      echo "$what: FAILED" && cat "$top/said"
    fi
  }
  for bash in "${bashes[@]}"; do
    [ ! -e "$bash" ] || one "bash $("$bash" -c 'echo "$BASH_VERSION"') ($bash)" "$bash"
  done
  one "busybox's tools" "${bashes[0]}" awk cat cut date dd env grep head hostname ln mkdir mktemp mv rm sed sort sync tail timeout tr
  if [ "$failed" -eq 0 ]; then rm -rf "$top"; else echo "kept: $top"; fi
  exit "$((failed > 0))"
fi

bash=$1 work=$2
shift 2
mkdir -p "$work"/{bin,work,workers,notify/targets/log,tmp}
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
"$RENDER" "$work"
export work TMPDIR=$work/tmp
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
ln -s "$bash" "$work/bin/bash"
known=$(busybox --list 2>/dev/null || true)
for tool in "$@"; do
  [[ $'\n'$known$'\n' == *$'\n'$tool$'\n'* ]] || fail "this busybox has no $tool"
  ln -s "$(command -v busybox)" "$work/bin/$tool"
done
# What bash 5 has set and an older one has not.
echo 'unset EPOCHREALTIME EPOCHSECONDS SRANDOM BASH_ARGV0' >"$work/older"
stand_in squeue 'case "$*" in *%e*) cat "$work/ends" ;; *%T*) echo RUNNING ;; *%F*) echo "7 x@other.1"; cat "$work/queue" 2>/dev/null ;; esac; exit 0'
stand_in sbatch 'echo "$@" >>"$work/sbatch"; env >"$work/sbatch.env"; echo 99'
stand_in scancel 'echo "$@" >>"$work/scancel"'
stand_in scontrol 'case "$*" in *hostnames*) echo n1 ;; *config*) echo "RequeueExit = (null)" ;; *) exit 1 ;; esac'
stand_in sacct ''
stand_in nvidia-smi 'case "$*" in -L) echo "MIG 1g.10gb Device 0" ;; *uuid*|*utilization*) echo "0, A100, 1 %" ;; *) echo "NVIDIA A100-SXM4-80GB"; echo "NVIDIA A100-SXM4-80GB" ;; esac'
stand_in sleep '[ "$1" = infinity ] || set -- 0.1; exec /bin/sleep "$@"'
# Two processes of a step on this node.
stand_in srun 'while [ "$1" != bash ]; do shift; done
for id in 0 1; do SLURM_PROCID=$id SLURM_LOCALID=$id SLURM_NODEID=0 SLURM_NTASKS=2 "$@" & eval "task$id=\$!"; done
wait "$task0" && wait "$task1"'
cat >"$work/app" <<'A'
#!/bin/sh
[ "$*" = "a b \$(id) it's" ] || exit 9
echo "rank $RANK of $WORLD_SIZE"
tries=0 # until the GPU sampler has taken one sample
until [ -s "$RV_RUN_DIR/jobs/4711.n1.gpus" ] || [ "$((tries += 1))" -gt 300 ]; do /bin/sleep 0.1; done
echo kept >kept
[ "${SLOW:-}" = "" ] || { trap 'echo saved >"$RV_CHECKPOINT_DIR/$RANK"; exit 75' USR1; while :; do /bin/sleep 0.1; done; }
[ ! -e "$work/crash" ] || { rm "$work/crash"; exit 41; }
A
printf '#!/bin/sh\necho "$@"\nwhile [ "$1" != --report-dir ]; do shift; done\necho "{\\"readings\\":[{}]}" >"$2/n1.jsonl"\n' >"$work/workers/worker"
chmod +x "$work/app" "$work/workers/worker"
echo 0123456789abcdef0123456789abcdef >"$work/token"
echo command >"$work/notify/targets/log/kind"
echo "cat >>'$work/notified'" >"$work/notify/targets/log/to"
echo started,ended,segment >"$work/notify/targets/log/on"
mkdir -p "$work/runs/before/ledger"
echo 'outcome 1 0 0 0 done 0 n1 1 token - {}' >"$work/runs/before/ledger/1"
later=$(($(date +%s) + 7200))
echo "$later" >"$work/ends"

# The form of every error that a shell reports about its own script.
clean() {
  local said
  said=$(cat "$@" 2>/dev/null | grep -aE 'unbound variable|syntax error|bad substitution|bad array subscript|invalid option|not a valid identifier|invalid variable name|command not found|invalid format|invalid number|unexpected|integer expression|usage:' || true)
  equal "$1: what a shell says of its own script" "" "$said"
}
# job NAME CODE [ARGUMENT…]: the script, in the environment that Slurm gives it.
job() {
  local name=$1 expected=$2 code=0 run=$work/runs/$1
  shift 2
  mkdir -p "$run"/{logs,jobs,output,checkpoint,ledger,elements,chain}
  [ -e "$run/events.jsonl" ] || printf '{"event":"intent"}\n{"event":"intent"}\n' >"$run/events.jsonl"
  printf 'rv_own_names=(SECRET)\nexport SECRET=1\n' >"$run/environment"
  env -i BASH_ENV="$work/older" PATH="$work/bin:$PATH" HOME="$work" work="$work" TMPDIR="$TMPDIR" SLOW="${SLOW:-}" SLURM_JOB_ID=4711 \
    SLURM_JOB_NAME="$name@$name.1" SLURM_JOB_NODELIST=n1 SLURMD_NODENAME=n1 SLURM_NODEID=0 SLURM_PROCID=0 SLURM_LOCALID=0 \
    SLURM_ARRAY_JOB_ID=4711 SLURM_ARRAY_TASK_ID="${ELEMENT:-0}" SLURM_RESTART_COUNT="${RESTART:-0}" \
    "$bash" "$run/candidates/1/script.sh" "$@" >"$work/said" 2>&1 </dev/null || code=$?
  clean "$work/said" "$run"/logs/*
  [ "$code" -eq "$expected" ] || fail "$name: exit code $code instead of $expected: $(cat "$work/said" "$run"/logs/*)"
}
recorded() {
  local exit
  exit=$(grep -h '^exit ' "$work/runs/$1"/ledger/* | cut -d' ' -f6,7)
  equal "$1: recorded" "$3 $2" "$exit"
}

for name in command command_several command_full command_several_full checkpoint checkpoint_several checkpoint_full \
  checkpoint_several_full slice; do
  job "$name" 0
  recorded "$name" 0 exited
  contains "$name" "rank 0 of" "$(cat "$work/runs/$name/logs/n1.out")"
  lacking=$(grep -L '"event":"started"' "$work/runs/$name/jobs/4711.n1.jsonl" || true)
  equal "$name: its start is on record" "" "$lacking"
  curves=$work/runs/$name/jobs/4711.n1.gpus
  [[ $(cat "$curves") =~ ^[0-9]{10}"|n1|0, A100" ]] || fail "$name: no curve: $(cat "$curves")"
  [[ $name != *_full ]] || equal "$name: outputs" kept "$(cat "$work/runs/$name/output/kept")"
done
contains "a notification was sent" '"event":"ended"' "$(cat "$work/notified")"
echo "8 command_full@command_full.2" >"$work/queue"
rm -r "$work/runs/command_full"/{ledger,jobs}
job command_full 0
wait_for 60 test -e "$work/scancel" || fail "the other candidate is not cancelled"
equal "the other candidate is cancelled" "--ctld --user=$UID --name=command_full@command_full.2 8" "$(cat "$work/scancel")"
rm "$work/queue"
for ELEMENT in 0 1; do job array 0; done
equal "elements" "2" "$(cat "$work"/runs/array/elements/* | grep -c '^exit .* exited 0')"
job command 0 # a second start, after the end
contains "a start after the end" stood_back "$(cat "$work/runs/command/jobs/4711.n1.jsonl")"
rm "$work/runs/command/ledger/3"
job command 1 # and before it
contains "a second start" refused_restart "$(cat "$work/runs/command/jobs/4711.n1.jsonl")"
job command 0 shell true

# A chain: it crashes and begins again; it is warned, saves, and submits its next segment; the next one ends it.
for name in checkpoint checkpoint_full checkpoint_several; do
  rm -rf "$work/runs/$name"/{ledger,chain,jobs}
  : >"$work/crash"
  job "$name" 0
  recorded "$name" 0 exited
  contains "$name: after a crash" '"reason":"crashed"' "$(cat "$work/runs/$name/jobs/4711.n1.jsonl")"
  rm -rf "$work/runs/$name"/{ledger,chain,jobs} "$work"/sbatch*
  mkdir -p "$work/runs/$name/chain"
  echo n9 >"$work/runs/$name/chain/exclude"
  echo $(($(date +%s) + 123)) >"$work/ends"
  SLOW=1 job "$name" 75
  contains "$name: it has saved" '"reason":"time_limit","exit_code":75,"progress":1' "$(cat "$work/runs/$name/jobs/4711.n1.jsonl")"
  contains "$name: it goes on" "--parsable --exclude=n9" "$(cat "$work/sbatch")"
  contains "$name: in job" '"next_job_id":99' "$(cat "$work/runs/$name/jobs/4711.n1.jsonl")"
  lacks "$name: the next job inherits" $'\nSLURM_JOB_ID' "$(<"$work/sbatch.env")"
  lacks "$name: the next job inherits" SECRET= "$(<"$work/sbatch.env")"
  echo "$later" >"$work/ends"
  RESTART=1 job "$name" 0
  recorded "$name" 0 exited
  # Its job was lost between the end of the last segment and the record of the run's: nothing begins again.
  ledger=$work/runs/$name/ledger
  starts=$(cat "$ledger"/* | grep -c '^start ')
  rm "$ledger/$(find "$ledger" -name '[0-9]*' | wc -l)"
  RESTART=2 job "$name" 0
  recorded "$name" 0 exited
  equal "$name: no start after the work is finished" "$starts" "$(cat "$ledger"/* | grep -c '^start ')"
  # A segment without an end, begun by a start of this job that is as late or later: another process of it is at work.
  for RESTART in 1 0; do
    rm -rf "$work/runs/$name"/{ledger,chain,jobs}
    mkdir -p "$ledger"
    printf '%s\n' "claim 1 1 4711 1 - - n1 5 a n1" >"$ledger/1"
    printf '%s\n' "start 1 1 4711 1 1 - n1 5 a n1" >"$ledger/2"
    RESTART=$RESTART job "$name" 0
    equal "$name: restart $RESTART starts nothing" 2 "$(find "$ledger" -name '[0-9]*' | wc -l)"
  done
done

# How elements ended: a record of a start that was overtaken, or of an attempt before the last, does not count.
elements=$work/runs/counted
mkdir -p "$elements"/{ledger,elements}
entry() { printf '%s\n' "$2" >"$elements/$1"; }
entry ledger/1 'claim 1 1 77 0 - - n1 5 a n1'
entry ledger/2 'retry 2 0 0 0 - - login 5 e - {"elements":[3,12],"exclude":["n2"]}'
entry elements/0.1 'start 1 1 77 0 0 - n1 5 a n1'
entry elements/0.2 'exit 1 1 77 0 exited 0 n1 5 a n1' # well
entry elements/1.1 'start 1 1 77 0 0 - n1 5 a n1'
entry elements/1.2 'exit 1 1 77 0 exited 4 n1 5 a n1' # badly
entry elements/2.1 'start 1 1 77 0 0 - n1 5 a n1'
entry elements/2.2 'start 1 1 77 1 0 - n3 5 b n3'
entry elements/2.3 'exit 1 1 77 0 exited 0 n1 5 a n1' # of the first start
entry elements/3.1 'start 1 1 77 0 0 - n2 5 a n2'
entry elements/3.2 'exit 1 1 77 0 exited 1 n2 5 a n2' # of the first attempt
entry elements/4.1 'exit 1 1 77 0 exited 1 n2 5 a n2' # before user code
entry elements/12.1 'start 2 1 78 0 0 - n2 5 a n2'
entry elements/12.2 'exit 2 1 78 0 exited 0 n2 5 a n2' # of the second attempt
equal "bad and ended elements" "2 4" \
  "$("$bash" -uc '. "$1"; rv_count_elements "$2"' _ "$root/templates/gate/count_elements.inc.sh" "$elements")"

# A job that holds its allocation until it is asked to end.
run=$work/runs/hold
(job hold 0) &
holder=$!
wait_for 60 grep -qs '"event":"ready"' "$run/jobs/4711.n1.jsonl" || fail "it does not hold"
script=$(pgrep -o -f "^$bash $run/candidates/1/script.sh")
wait_for 60 test -s "$run/jobs/4711.n1.gpus" || fail "what the GPUs of a hold do is not kept"
kill -TERM "$script"
wait "$holder"
recorded hold 0 terminated

BASH_ENV="$work/older" PATH="$work/bin:$PATH" SLURMD_NODENAME=n1 RV_ACCEPT_STEP=1 SLURM_PROCID=0 SLURM_NTASKS=1 \
  MASTER_ADDR=localhost "$bash" "$work/accept.sh" >"$work/said" 2>&1 || fail "accept: $(<"$work/said")"
clean "$work/said"
contains "accept: steps" "health-after" "$(<"$work/said")"
contains "accept: with what was before" "--before $work/reports/n1/health-before/n1.jsonl" "$(<"$work/reports/n1/health-after/out")"
all_say "accept: how its steps ended" '[row["exit_code"] for row in d if "exit_code" in row] == [0, 0, 0]' "$work/reports/n1/steps.jsonl"
all_say "accept: how long they took" 'all(0 <= row["seconds"] < 20 for row in d if "seconds" in row)' "$work/reports/n1/steps.jsonl"
PATH="$work/bin:$PATH" "$bash" "$work/gpu_readings.sh" >"$work/said" 2>&1
clean "$work/said"
contains "readings" "|0, A100" "$(<"$work/said")"
PATH="$work/bin:$PATH" "$bash" "$work/notify_test.sh" >"$work/said" 2>&1
clean "$work/said"
contains "notify test" notified "$(<"$work/said")"

# Helper processes of a command have ended with its job, however that ended.
nothing_left() { ! pgrep -f "^$bash $work/runs/[a-z_]*/candidates/1/script.sh" >"$work/left"; }
wait_for 60 nothing_left || fail "left behind: $(ps -o pid,args -p "$(paste -sd, "$work/left")")"

# What runs on login nodes, in whatever /bin/sh is there.
for shell in "$bash --posix" dash "busybox sh"; do
  rm -rf "$work/rv"
  # shellcheck disable=SC2086
  bootstrap() { $shell -uc "$(<"$root/cli/remote/hop/bootstrap.sh")" rv rv-1 "$work/rv" token request >"$work/said" 2>&1 </dev/null || fail "$shell: $(<"$work/said")"; }
  bootstrap
  contains "$shell: nothing installed" "rv token missing" "$(<"$work/said")"
  # shellcheck disable=SC2086
  printf '#!/bin/sh\n[ "$1" != --checksum ] || { echo 12ab; exit; }\necho "ran $*"\n' |
    $shell -uc "$(<"$root/cli/remote/hop/install.sh")" rv rv-1 "$work/rv" token 12ab >"$work/said" 2>&1
  contains "$shell: install" "rv token installed" "$(<"$work/said")"
  bootstrap
  equal "$shell: runs it" "ran --hop request" "$(<"$work/said")"
done
