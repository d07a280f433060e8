
# Only the list of devices shows a MIG slice; the product name is that of the whole GPU.
rv_check_gpus() {
  local devices
  command -v nvidia-smi >/dev/null || return 0
  devices=$(timeout 20 nvidia-smi -L 2>/dev/null) || return 0
  if ! grep -qF "MIG $RV_GPU_PROFILE" <<<"$devices"; then
    rv_event wrong_gpu ",\"asked\":\"$RV_GPU_TYPE\",\"got\":\"no such MIG slice\""
    echo "rv: you asked for a MIG slice $RV_GPU_PROFILE, but $rv_node shows none" >&2
  fi
}
