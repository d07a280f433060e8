
# `script.sh curves` samples one node's GPUs while the allocation is held. On several nodes it is a step of its own, which rv_attended does
# not count.
if [ "${1:-}" = curves ]; then
  rv_draw_curves
  exit 0
fi
rv_begin_hold_curves() {
  if [ "$RV_NNODES" -eq 1 ]; then
    rv_begin_curves
    return
  fi
  rv_beside srun --overlap --job-name=rv-gpu --nodes="$RV_NNODES" --ntasks="$RV_NNODES" --ntasks-per-node=1 \
    bash "$rv_script" curves
}
