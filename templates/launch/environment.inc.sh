{{?user_secrets}}{{include:user_secrets.inc.sh}}
{{?project_active}}{{include:project_environment.inc.sh}}

# --- the job's environment -------------------------------------------------------------------------------------------

# Variables that the user has set are not changed.
rv_environment() {
  export RV_OUTPUT_DIR="$rv_output" RV_CHECKPOINT_DIR="$RV_RUN_DIR/checkpoint"
  export OMP_NUM_THREADS="${OMP_NUM_THREADS:-"{{threads}}"}"
  export TOKENIZERS_PARALLELISM="${TOKENIZERS_PARALLELISM:-false}" PYTHONUNBUFFERED="${PYTHONUNBUFFERED:-1}"
  # Caches exceed home quotas; scratch has space.
  local scratch={{scratch}}
  export UV_CACHE_DIR="${UV_CACHE_DIR:-$scratch/uv}" PIP_CACHE_DIR="${PIP_CACHE_DIR:-$scratch/pip}"
  export HF_HOME="${HF_HOME:-$scratch/huggingface}" VLLM_CACHE_ROOT="${VLLM_CACHE_ROOT:-$scratch/vllm}"
  export WANDB_DIR="${WANDB_DIR:-$scratch/wandb}" TRITON_CACHE_DIR="${TRITON_CACHE_DIR:-$scratch/triton}"
  export TORCH_HOME="${TORCH_HOME:-$scratch/torch}"
  mkdir -p "$WANDB_DIR" "$scratch" 2>/dev/null  # wandb falls back to /tmp for a missing folder
  rv_rendezvous
}

{{include:node_address.inc.sh}}

{{include:rendezvous_port.inc.sh}}

# Sets MASTER_ADDR and MASTER_PORT, where the processes of this job connect to each other.
rv_rendezvous() {
  export MASTER_PORT
  MASTER_PORT=$(rv_rendezvous_port)
  if [ "$RV_NNODES" -eq 1 ]; then
    export MASTER_ADDR=127.0.0.1
    return
  fi
  local first
  first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
  export MASTER_ADDR
  MASTER_ADDR=$(rv_node_address "$first")
}

# The token with which the processes of this job authenticate to each other; rv's workers require it.
rv_share_secret() {
  export RV_RENDEZVOUS_TOKEN
  [ -n "${RV_RENDEZVOUS_TOKEN:-}" ] || RV_RENDEZVOUS_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
}

# The output of all processes is appended to one file per node (per element of an array), so a second start does not truncate that of the
# first. stderr goes to the same file, which keeps the order of writing, or to its own file.
rv_open_logs() {
  local log="$RV_RUN_DIR/logs/${rv_label:-$rv_node}"
  exec >>"$log.out" 2>&1
{{?separate_stderr}}  exec 2>>"$log.err"
}
{{include:set_up.inc.sh}}
