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

# If it has ended by itself, its number may belong to another process now, which is not a child of this script.
rv_end_curves() {
  local stat=""
  IFS= read -r stat 2>/dev/null <"/proc/$rv_curves/stat"
  [[ $stat != *") "[A-Z]" $$ "* ]] || kill "$rv_curves"
}

# rv_beside COMMAND…: ended with this script in any case. Its end is not reported in the command's log.
rv_beside() {
  "$@" </dev/null >/dev/null 2>&1 &
  rv_curves=$!
  disown "$rv_curves"
  trap 'rv_end_curves; ! declare -F rv_notify_finish >/dev/null || rv_notify_finish' EXIT
}

rv_begin_curves() {
  [ -x "$rv_sampler" ] || command -v nvidia-smi >/dev/null || return 0
  rv_beside rv_draw_curves
}
