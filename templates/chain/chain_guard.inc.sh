
# --- the guard of a segment -------------------------------------------------------------------------------------------

# rv_shift_end SECONDS: for rv_guard, if it was stopped for this long after the warning, by a suspension or on a busy node. Slurm reports
# by how much the job's end has moved; without an answer, more than a minute counts as a suspension.
rv_shift_end() {
  local latest
  if rv_ask_end; then
    latest=$((rv_job_ends - rv_margin))
    if [ -z "$termed" ] && [ $((term_at + rv_moved)) -gt "$latest" ]; then
      [ "$term_at" -ge "$latest" ] || term_at=$latest
    else
      term_at=$((term_at + rv_moved))
    fi
  elif [ "$1" -gt 60 ]; then
    rv_job_ends=$((rv_job_ends + $1)) term_at=$((term_at + $1))
  fi
}

# Runs beside the command on each of its nodes, until it is killed. Polls the clock and the run folder: sends the warning, TERM when the
# time for saving is over, KILL after that, and KILL if a later start has replaced this one. It scans the processes every second at
# first, when launchers start processes that outlive them, and then once a minute, because a scan reads all of /proc.
rv_guard() {
  local warned="" termed="" beat=0 term_at=$rv_term_at warn_at=$rv_warn_at scans=0 scan_at=0 last suspended=""
  rv_clock
  last=$rv_now
  # The script ignores these since its last segment ended; inherited, that would prevent this process from being ended.
  trap - TERM USR1
  while sleep $((scans < 30 ? 1 : 5)); do
    rv_clock
    # A suspension stops the job and its guard. Only running time counts as time for saving.
    if [ -n "$warned" ]; then
      [ $((rv_now - last)) -le 15 ] || rv_shift_end $((rv_now - last))
    elif [ $((rv_now - last)) -gt 60 ]; then
      suspended=1
    fi
    last=$rv_now
    # If the requested total time ends first, that end does not move with the job's time limit.
    if [ -z "$warned" ] && [ "$rv_now" -ge "$warn_at" ] &&
      { [ -n "$suspended" ] || [ $((term_at + rv_margin)) -ge "$rv_job_ends" ]; }; then
      rv_ask_end
      warn_at=$((warn_at + rv_moved)) term_at=$((term_at + rv_moved))
    fi
    if [ "$scans" -lt 30 ] || [ "$rv_now" -ge "$scan_at" ]; then
      scans=$((scans + 1)) scan_at=$((rv_now + 60))
      rv_remember
      # The script was killed, and no process of the command is left.
      kill -0 "$$" 2>/dev/null || [ -n "$rv_found" ] || return
    fi
    # If an entry can't be read now, the next poll tries again.
    if rv_read_ledger && [ "$rv_start" != "$SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} $rv_segment" ]; then
      : >"$chain/$rv_segment.overtaken.$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}"
      rv_signal_tree KILL
      return
    fi
    if [ -z "$warned" ] && { [ "$rv_now" -ge "$warn_at" ] || rv_listed "$chain/$rv_segment.warn"; }; then
      warned=1
      term_at=$((rv_now + rv_warning))
      : >"$chain/$rv_segment.warned"
    fi
    [ -z "$warned" ] || [ -n "$termed" ] || rv_warn_tree "$rv_warn_signal"
    if [ -n "$termed" ] && [ "$rv_now" -ge $((term_at + rv_kill_after)) ]; then
      rv_signal_tree KILL
    elif [ -z "$termed" ] && [ "$rv_now" -ge "$term_at" ]; then
      termed=1 term_at=$rv_now
      rv_signal_tree TERM
    fi
    if [ -n "$rv_beats" ] && [ "$rv_now" -ge "$beat" ]; then
      beat=$((rv_now + 60))
      rv_write "$chain/$rv_segment.alive" "$rv_now"
    fi
  done
}
