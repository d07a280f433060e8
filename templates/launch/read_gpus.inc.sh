
# rv_read_gpus: prints "<node>|<nvidia-smi's columns>" for each GPU of the job on this node, or "<node>|-|<reason why there is none>".
rv_read_gpus() {
  local node=${SLURMD_NODENAME:-$(uname -n)} only=() columns answer code line trouble=""
  if ! command -v nvidia-smi >/dev/null; then
    echo "$node|-|this node has no nvidia-smi"
    return
  fi
  # If Slurm does not constrain devices, nvidia-smi would also show GPUs of other jobs.
  [[ ! ${CUDA_VISIBLE_DEVICES:-} =~ ^[0-9]+(,[0-9]+)*$ ]] || only=(-i "$CUDA_VISIBLE_DEVICES")
  columns=index,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,driver_version,clocks.sm
  answer=$(timeout 20 nvidia-smi ${only[@]+"${only[@]}"} --query-gpu="$columns" --format=csv,noheader,nounits 2>&1)
  code=$?
  # When one of several GPUs is lost, it prints the rows of the others and fails.
  while IFS= read -r line; do
    if [ "$code" -eq 0 ] || [[ $line =~ ^[0-9]+,\  ]]; then echo "$node|$line"; else trouble+="${trouble:+ }$line"; fi
  done <<<"$answer"
  [ "$code" -ne 0 ] || return 0
  [ "$code" -ne 124 ] || trouble="no answer within 20 s"
  echo "$node|-|nvidia-smi: ${trouble:-exit code $code}"
}
