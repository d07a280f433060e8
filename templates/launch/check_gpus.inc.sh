
# Compares the GPUs of this node with the request. Runs beside the command, and never delays or ends it.
rv_check_gpus() {
  local names count other
  [ -n "$RV_GPU_PRODUCT" ] && command -v nvidia-smi >/dev/null || return 0
  names=$(timeout 20 nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null) || return 0
  count=$(grep -c . <<<"$names")
  other=$(grep -vE -- "$RV_GPU_PRODUCT" <<<"$names" | sort -u | tr '\n"\134' ',__')
  other=${other%,}
  if [ -n "$other" ]; then
    rv_event wrong_gpu ",\"asked\":\"$RV_GPU_TYPE\",\"got\":\"$other\""
    echo "rv: you asked for $RV_GPU_TYPE, but $rv_node has $other" >&2
  elif [ "$count" -lt "$RV_GPUS_PER_NODE" ]; then
    rv_event missing_gpu ",\"asked\":$RV_GPUS_PER_NODE,\"got\":$count"
    echo "rv: you asked for $RV_GPUS_PER_NODE GPUs per node, but $rv_node shows $count" >&2
  fi
}
