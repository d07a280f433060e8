{{include:read_gpus.inc.sh}}

# --- the GPUs' curves ----------------------------------------------------------------------------------------------------

# What this node's GPUs do goes into the run's folder while the command runs, for rv report: by rv-sample where it can be
# run, else by nvidia-smi, and the longer it goes on the rarer. Nothing waits for it, and it decides nothing.
rv_sampler={{gpu_sampler}}

# One look, as lines with the time in front. Fails where no GPU answers.
rv_keep_look() {
  local line seen=""
  while IFS= read -r line; do
    [[ $line != *"|-|"* ]] || continue
    printf '%(%s)T|%s\n' -1 "$line" >>"$1" && seen=1
  done < <(rv_read_gpus)
  [ -n "$seen" ]
}

# Until a TERM ends it, and whoever looks for it.
rv_draw_curves() {
  local file=$RV_RUN_DIR/jobs/$SLURM_JOB_ID.$rv_node.gpus child="" began=$SECONDS pause
  trap '[ -z "$child" ] || kill "$child"; exit 0' TERM
  trap '' INT HUP USR1
  if [ -x "$rv_sampler" ]; then
    RV_NODE_NAME=$rv_node "$rv_sampler" --curve "$file" &
    child=$!
    wait "$child" && return
  fi
  # Where the first look finds nothing, as on a machine without GPUs, there is no other.
  rv_keep_look "$file" || return 0
  while :; do
    pause=$(((SECONDS - began) / 100))
    sleep "$((pause < 15 ? 15 : pause))" &
    child=$!
    wait "$child"
    rv_keep_look "$file" &
    child=$!
    wait "$child"
  done
}

rv_begin_curves() {
  [ -x "$rv_sampler" ] || command -v nvidia-smi >/dev/null || return 0
  rv_beside rv_draw_curves
}
