# What rv gpu runs on each node of a run: a line "<node>|<nvidia-smi's columns>" for each GPU of the job, or
# "<node>|-|<why there is none>".
node=${SLURMD_NODENAME:-$(uname -n)}
if ! command -v nvidia-smi >/dev/null; then
  echo "$node|-|there is no nvidia-smi on this node"
  exit 0
fi
# Where the job's devices are not fenced off, nvidia-smi would show other people's as well.
only=()
[[ ! ${CUDA_VISIBLE_DEVICES:-} =~ ^[0-9]+(,[0-9]+)*$ ]] || only=(-i "$CUDA_VISIBLE_DEVICES")
columns=index,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,driver_version
if answer=$(timeout 20 nvidia-smi ${only[@]+"${only[@]}"} --query-gpu="$columns" --format=csv,noheader,nounits 2>&1); then
  while IFS= read -r line; do echo "$node|$line"; done <<<"$answer"
else
  echo "$node|-|nvidia-smi: ${answer//$'\n'/ }"
fi
