
# --- the run's records -----------------------------------------------------------------------------------------------

rv_node=${SLURMD_NODENAME:-$(hostname -s)}

# rv_event NAME [,"key":value…]: appends a line to this job's file on this node. Events are for display; no decision depends on them.
rv_torn=""
rv_event() {
  local more="${RV_ARRAY_INDEX:+,\"element\":$RV_ARRAY_INDEX}${2:-}"
  [ "$rv_attempt" = 1 ] || more+=",\"attempt\":$rv_attempt"
  # After a truncated line (a full disk) a newline keeps this one readable.
  printf '%s{"time":%(%s)T,"event":"%s","candidate":%s,"job_id":%s,"node":"%s"%s}\n' "$rv_torn" \
    -1 "$1" "$RV_CANDIDATE" "$rv_job" "$rv_node" "$more" >>"$RV_RUN_DIR/jobs/$SLURM_JOB_ID.$rv_node.jsonl" || rv_torn=$'\n'
  [ -z "${rv_notify_folder:-}" ] || rv_notify_event "$1" "$more"
}

rv_hardware_lines={{hardware_lines}} # from base/failures/, where each message has its cause
# rv_suspects_hardware LOG…: whether the end of a log has a message that only broken hardware causes.
rv_suspects_hardware() {
  tail -q -c 20000 "$@" 2>/dev/null |
    LC_ALL=C grep -qE -- "$rv_hardware_lines"
}
