
# --- the guard of a segment -------------------------------------------------------------------------------------------

# rv_shift_end SECONDS: after the warning this process has stood still for this long, suspended or on a busy node. Slurm knows by how
# much the job's end has moved; without an answer, a minute and more was a suspension. For rv_guard.
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

# Beside the command, on every node of it, until it is killed. Looks at the clock and at the run folder: the warning,
# TERM when the time for saving is over, KILL after that, and an end for a start that another one has overtaken. At
# the processes it looks often at first, when launchers start what outlives them, and then once a minute: a look reads /proc.
rv_guard() {
  local warned="" termed="" beat=0 term_at=$rv_term_at warn_at=$rv_warn_at looks=0 look_at=0 last suspended=""
  rv_clock
  last=$rv_now
  # What the script ignores since its last segment ended would keep this one from being ended, for ever.
  trap - TERM USR1
  while sleep $((looks < 30 ? 1 : 5)); do
    rv_clock
    # A suspended job stands still with its guard. The time for saving is running time.
    if [ -n "$warned" ]; then
      [ $((rv_now - last)) -le 15 ] || rv_shift_end $((rv_now - last))
    elif [ $((rv_now - last)) -gt 60 ]; then
      suspended=1
    fi
    last=$rv_now
    # The time that was asked for, where that comes first, does not move with the job's time limit.
    if [ -z "$warned" ] && [ "$rv_now" -ge "$warn_at" ] &&
      { [ -n "$suspended" ] || [ $((term_at + rv_margin)) -ge "$rv_job_ends" ]; }; then
      rv_ask_end
      warn_at=$((warn_at + rv_moved)) term_at=$((term_at + rv_moved))
    fi
    if [ "$looks" -lt 30 ] || [ "$rv_now" -ge "$look_at" ]; then
      looks=$((looks + 1)) look_at=$((rv_now + 60))
      rv_remember
      # Whoever began it was killed, and nothing is left to guard.
      kill -0 "$$" 2>/dev/null || [ -n "$rv_found" ] || return
    fi
    # An entry that can't be read now can be the next time.
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
