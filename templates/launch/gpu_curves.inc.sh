{{include:read_gpus.inc.sh}}

# --- the GPUs' curves ----------------------------------------------------------------------------------------------------

# Samples this node's GPUs while the command runs and writes the values to the run folder, for rv report. It uses rv-sample if that can
# be run, else nvidia-smi at intervals that grow with the run time. Nothing waits for the samples or depends on them.
rv_sampler={{gpu_sampler}}

# rv_keep_sample FILE: appends a sample, with the time before each line. Fails if no GPU answers.
rv_keep_sample() {
  local line seen=""
  while IFS= read -r line; do
    [[ $line != *"|-|"* ]] || continue
    printf '%(%s)T|%s\n' -1 "$line" >>"$1" && seen=1
  done < <(rv_read_gpus)
  [ -n "$seen" ]
}

# Takes samples until a TERM ends it together with its child.
rv_draw_curves() {
  local file=$RV_RUN_DIR/jobs/$SLURM_JOB_ID.$rv_node.gpus child="" began=$SECONDS pause
  trap '[ -z "$child" ] || kill "$child"; exit 0' TERM
  trap '' INT HUP USR1
  if [ -x "$rv_sampler" ]; then
    RV_NODE_NAME=$rv_node "$rv_sampler" --curve "$file" &
    child=$!
    wait "$child" && return
  fi
  # If the first sample is empty, as on a machine without GPUs, it takes no further ones.
  rv_keep_sample "$file" || return 0
  while :; do
    pause=$(((SECONDS - began) / 100))
    sleep "$((pause < 15 ? 15 : pause))" &
    child=$!
    wait "$child"
    rv_keep_sample "$file" &
    child=$!
    wait "$child"
  done
}

rv_begin_curves() {
  [ -x "$rv_sampler" ] || command -v nvidia-smi >/dev/null || return 0
  rv_beside rv_draw_curves
}
