#!/bin/bash
# Runs the workers of an acceptance test one after the other on this node. Every node runs the same script. Faults are judged from the
# reports, so a worker's exit code does not end the script.
# shellcheck disable=SC2016,SC2317
set -u
rv_reports={{reports}}
rv_workers={{workers}}
export RV_RENDEZVOUS_TOKEN
read -r RV_RENDEZVOUS_TOKEN <{{token_file}} || exit 3

{{include:node_address.inc.sh}}
{{include:rendezvous_port.inc.sh}}

# In a step that rv accept --local started on all nodes of an allocation.
if [ -n "${RV_ACCEPT_STEP:-}" ]; then
  export RANK="$SLURM_PROCID" WORLD_SIZE="$SLURM_NTASKS" LOCAL_RANK=0
  MASTER_ADDR=$(rv_node_address "$MASTER_ADDR")
  export MASTER_PORT="${MASTER_PORT:-$(rv_rendezvous_port)}"
fi
# Ranks come from the environment if a launcher or Kubernetes set them; on a bare host there is one process.
export RANK="${RANK:-${JOB_COMPLETION_INDEX:-0}}" WORLD_SIZE="${WORLD_SIZE:-1}" LOCAL_RANK="${LOCAL_RANK:-0}"
{{lines:environment}}
# Training must start from the beginning, not from the run's own checkpoints.
unset RV_CHECKPOINT_DIR
rv_node=${RV_NODE_NAME:-${SLURMD_NODENAME:-$(hostname -s)}}
rv_folder=$rv_reports/$rv_node
mkdir -p "$rv_folder" || exit 3

rv_word_for() {
  case $1 in
    0) echo pass ;;
    1) echo fail ;;
    77) echo skip ;;
    124 | 137) echo "out of time" ;;
    *) echo "error (code $1)" ;;
  esac
}

{{include:milliseconds.inc.sh}}

# A worker removes its files when it ends, so a signal that ends this script is passed to the worker first.
rv_worker=
rv_end() {
  trap '' TERM INT HUP USR1
  if [ -n "$rv_worker" ]; then
    kill -s TERM "$rv_worker" 2>/dev/null
    # A second signal, from before this handler ignored them, interrupts a wait at once.
    while kill -0 "$rv_worker" 2>/dev/null; do wait "$rv_worker"; done
  fi
  exit "$1"
}
# srun forwards USR1; other signals would make it kill its tasks.
trap 'rv_end 143' TERM USR1
trap 'rv_end 130' INT
trap 'rv_end 129' HUP

rv_within={{within}} # seconds for all steps together; empty: each has its own limit

# rv_step NAME alone|together SECONDS WORKER ARGUMENT…
rv_step() {
  local name=$1 place=$2 limit=$3 killed=15 began took code
  local -a launch=() before=() log=()
  shift 3
  if [ -n "$rv_within" ]; then
    [ "$SECONDS" -lt "$rv_within" ] || return
    [ "$limit" -le $((rv_within - SECONDS)) ] || limit=$((rv_within - SECONDS))
    killed=1
  fi
  mkdir -p "$rv_folder/$name" || exit 3
  # The ranks of each step have their own key, derived from the token and this name.
  export RV_RENDEZVOUS_STEP=$name
  [ "$place" = together ] || launch=(env -u RANK -u LOCAL_RANK -u SLURM_PROCID -u SLURM_STEP_NUM_TASKS WORLD_SIZE=1)
  # NCCL's log of its links; NCCL expands %h and %p.
  [ -z "${RV_NCCL_LOG:-}" ] || log=(env NCCL_DEBUG_FILE="$rv_folder/$name/nccl.%h.%p.log")
  if [ "$name" = health-after ]; then
    # Without earlier readings there is nothing to compare.
    mapfile -t before < <(grep -l '"readings":\[{' "$rv_folder"/health-before/*.jsonl 2>/dev/null)
    [ "${#before[@]}" -eq 0 ] || before=(--before "${before[0]}")
  fi
  printf '{"step":"%s","began":%(%s)T}\n' "$name" -1 >>"$rv_folder/steps.jsonl"
  rv_read_clock
  began=$rv_ms
  ${log[@]+"${log[@]}"} ${launch[@]+"${launch[@]}"} timeout -k "$killed" "$limit" "$rv_workers/$1" "${@:2}" ${before[@]+"${before[@]}"} \
    --report-dir "$rv_folder/$name" >"$rv_folder/$name/out" 2>"$rv_folder/$name/err" </dev/null &
  rv_worker=$!
  wait "$rv_worker"
  code=$?
  rv_worker=
  rv_read_clock
  took=$((rv_ms - began))
  printf '{"step":"%s","exit_code":%d,"seconds":%d.%03d}\n' "$name" "$code" $((took / 1000)) \
    $((took % 1000)) >>"$rv_folder/steps.jsonl"
  # In the log of a run every line is already assigned to its node.
  printf '%s%-26s %s, %d s\n' "${RV_ACCEPT_STEP:+"$rv_node  "}" "$name" "$(rv_word_for "$code")" $(((took + 500) / 1000))
}

{{lines:steps}}
exit 0
