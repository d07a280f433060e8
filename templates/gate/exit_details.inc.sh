
# --- the JSON of an exit entry --------------------------------------------------------------------------------------

# rv_note_log_sizes: records the sizes of this node's logs, for a step on another node than the script's. Only the node that writes a
# log is certain to see its size.
rv_note_log_sizes() {
  local log
  for log in "$RV_RUN_DIR/logs/${rv_label:-$rv_node}".{out,err}; do
    [ ! -e "$log" ] || echo "${log##*/} $(stat -c %s "$log")"
  done >"$RV_RUN_DIR/jobs/$SLURM_JOB_ID.bytes.${SLURM_RESTART_COUNT:-0}.$SLURM_PROCID"
}

# rv_log_sizes: prints "name":bytes for each log of this job, separated by commas.
rv_log_sizes() {
  local file bytes name listed=()
  local -A most=()
  for file in "$RV_RUN_DIR/logs/${rv_label:-$rv_node}".{out,err}; do
    bytes=$(stat -c %s "$file" 2>/dev/null) && most[${file##*/}]=$bytes
  done
  for file in "$RV_RUN_DIR/jobs/$SLURM_JOB_ID.bytes.${SLURM_RESTART_COUNT:-0}".*; do
    while read -r name bytes; do
      [ "$bytes" -le "${most[$name]:-0}" ] || most[$name]=$bytes
    done 2>/dev/null <"$file"
  done
  for name in "${!most[@]}"; do listed+=("\"$name\":${most[$name]}"); done
  (IFS=, && echo "${listed[*]+"${listed[*]}"}")
}

# rv_exit_details HOW: prints the entry's JSON. "bytes": the size of each log. "said": the last output of set-up lines that failed (only
# rv's own line "rv: …" if there is one), Slurm's refusal, or why the preflight failed. "bad_nodes": the nodes on which it failed.
# "copy": if --output is copied after this entry, the prefix of the mark's name in jobs/ (outputs.inc.sh).
rv_exit_details() {
  local said="" copy="" bad="" log=$RV_RUN_DIR/logs/${rv_label:-$rv_node}
  if [ "$1" = setup ]; then
    [ ! -s "$log.err" ] || log+=.err
    [ "${log%.err}" != "$log" ] || log+=.out
    said=$(tail -c 2000 "$log" 2>/dev/null | tail -n 3)
    [[ $'\n'$said != *$'\nrv: '* ]] || said="rv: ${said##*rv: }"
  elif [ "$1" = unqueued ]; then
    # shellcheck disable=SC2154 # set by a run that follows another one
    said=$rv_reply
  elif [ "$1" = preflight ]; then
    # shellcheck disable=SC2154 # set by the preflight
    said=$rv_preflight_why bad=",\"bad_nodes\":[\"${rv_preflight_nodes//,/\",\"}\"]"
  fi
  if [ -n "$said" ]; then
    said=$(printf %s "$said" | tr '\n' ' ' | LC_ALL=C tr -cd '[:print:]')
    [ "${#said}" -le 400 ] || said="...${said: -400}"
    said=${said//[\"\\]/}
    said=",\"said\":\"${said% }\""
  fi
  # A chain may have output of earlier segments.
  case $1${rv_chain:-} in
    predecessor* | unqueued* | preflight) ;;
    *) [ -z "${rv_has_outputs:-}" ] || copy=",\"copy\":\"$rv_token\"" ;;
  esac
  echo "{\"bytes\":{$(rv_log_sizes)}$copy$bad$said}"
}
