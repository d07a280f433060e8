{{?user_secrets}}{{include:user_secrets.inc.sh}}
{{?project_active}}{{include:project_environment.inc.sh}}

# --- the job's environment -------------------------------------------------------------------------------------------

# What the user has set already stays.
rv_environment() {
  export RV_OUTPUT_DIR="$rv_output" RV_CHECKPOINT_DIR="$RV_RUN_DIR/checkpoint"
  export OMP_NUM_THREADS="${OMP_NUM_THREADS:-"{{threads}}"}"
  export TOKENIZERS_PARALLELISM="${TOKENIZERS_PARALLELISM:-false}" PYTHONUNBUFFERED="${PYTHONUNBUFFERED:-1}"
  # Caches grow past home quotas; scratch has room.
  local scratch={{scratch}}
  export UV_CACHE_DIR="${UV_CACHE_DIR:-$scratch/uv}" PIP_CACHE_DIR="${PIP_CACHE_DIR:-$scratch/pip}"
  export HF_HOME="${HF_HOME:-$scratch/huggingface}" VLLM_CACHE_ROOT="${VLLM_CACHE_ROOT:-$scratch/vllm}"
  export WANDB_DIR="${WANDB_DIR:-$scratch/wandb}" TRITON_CACHE_DIR="${TRITON_CACHE_DIR:-$scratch/triton}"
  export TORCH_HOME="${TORCH_HOME:-$scratch/torch}"
  mkdir -p "$WANDB_DIR" "$scratch" 2>/dev/null  # wandb falls back to /tmp for a missing folder
  rv_rendezvous
}

{{include:node_address.inc.sh}}

# Where the processes of this job meet: at one of the ports 10000 to 29999, where Linux puts no outgoing connection. By the
# job's number, so that no two jobs on one node get the same, and by the cluster's name, since another Slurm may have a job of
# that number on the same machine.
rv_rendezvous() {
  local name=${SLURM_CLUSTER_NAME-} sum=0 i letter
  for ((i = 0; i < ${#name}; i++)); do
    printf -v letter %d "'${name:i:1}"
    sum=$(((31 * sum + letter) % 20000))
  done
  export MASTER_PORT=$((10000 + (SLURM_JOB_ID + sum) % 20000))
  if [ "$RV_NNODES" -eq 1 ]; then
    export MASTER_ADDR=127.0.0.1
    return
  fi
  local first
  first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
  export MASTER_ADDR
  MASTER_ADDR=$(rv_node_address "$first")
}

# By which the processes of this job know each other; rv's workers ask for it.
rv_share_secret() {
  export RV_RENDEZVOUS_TOKEN
  [ -n "${RV_RENDEZVOUS_TOKEN:-}" ] || RV_RENDEZVOUS_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
}

# Output of every process goes to one file per node (per element of an array), appended: a second start never truncates the
# first's. stderr shares stdout's, which keeps the order of writing, or has a file of its own.
rv_open_logs() {
  local log="$RV_RUN_DIR/logs/${rv_label:-$rv_node}"
  exec >>"$log.out" 2>&1
{{?separate_stderr}}  exec 2>>"$log.err"
}

rv_setup() {
  cd "$rv_work_folder" || {
    echo "rv: the working folder $rv_work_folder can't be entered on $rv_node: is it on a shared file system?" >&2
    return 1
  }
{{?user_secrets}}  rv_read_user_secrets || return 1
  {{lines:setup}}
{{?project_active}}  # shellcheck disable=SC2181  # of the last set-up line, whatever that is
{{?project_active}}  [ $? -eq 0 ] && rv_activate
}
