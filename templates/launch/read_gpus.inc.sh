
# rv_read_gpus: a line "<node>|<nvidia-smi's columns>" for each GPU of the job on this node, or "<node>|-|<why there is none>".
rv_read_gpus() {
  local node=${SLURMD_NODENAME:-$(uname -n)} only=() columns answer line
  if ! command -v nvidia-smi >/dev/null; then
    echo "$node|-|this node has no nvidia-smi"
    return
  fi
  # Where the job's devices are not fenced off, nvidia-smi would show other people's as well.
  [[ ! ${CUDA_VISIBLE_DEVICES:-} =~ ^[0-9]+(,[0-9]+)*$ ]] || only=(-i "$CUDA_VISIBLE_DEVICES")
  columns=index,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,driver_version,clocks.sm
  if answer=$(timeout 20 nvidia-smi ${only[@]+"${only[@]}"} --query-gpu="$columns" --format=csv,noheader,nounits 2>&1); then
    while IFS= read -r line; do echo "$node|$line"; done <<<"$answer"
  else
    echo "$node|-|nvidia-smi: ${answer//$'\n'/ }"
  fi
}
