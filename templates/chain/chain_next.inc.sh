
# --- how a segment ends, and what comes after it ---------------------------------------------------------------------

# rv_run_segment COMMAND…: starts the command once and waits. Sets rv_code, and rv_how: exited, or terminated if Slurm's TERM came first.
rv_run_segment() {
  local guard
  rv_how=exited rv_code="" rv_failure=exited
  rv_write "$chain/$rv_segment.before" "$(rv_fingerprint)" || rv_no_records
  rv_guard </dev/null &
  guard=$!
  rv_spawn "$@"
  trap 'rv_how=terminated rv_woken=1; rv_signal_command TERM; rv_signal_tree TERM' TERM
  trap 'rv_woken=1; : >"$chain/$rv_segment.warn"' USR1
  if rv_await_setup; then
    rv_track "$rv_command_pid" || rv_no_records
    rv_event started ",\"segment\":$rv_segment"
    rv_let_begin
    rv_wait
  elif [ "$rv_how" = exited ]; then
    rv_code=1 rv_failure=setup
  fi
  # A TERM from Slurm reaches the command's processes and this one a moment apart.
  if [ "$rv_code" -gt 128 ] && [ "$rv_how" = exited ]; then
    sleep 1 &
    wait $!
  fi
  if rv_listed "$chain/$rv_segment.warned" || [ "$rv_how" = terminated ]; then rv_wait_for_tree; fi
  trap '' TERM USR1
  kill "$guard" 2>/dev/null
  rv_clear_tree
}

# Determines the reason for the end of the segment and records it.
rv_end_segment() {
  rv_measure_progress
  rv_clock
  [ "$rv_how" = exited ] || rv_ask_end
  if [ "$rv_how" = terminated ] && [ "$rv_now" -lt $((rv_job_ends - 5)) ]; then
    case $(rv_job_state) in
      RUNNING) # a signal from elsewhere, apparently not the end of the job
        if rv_was_preempted; then rv_reason=preempted; else rv_how=exited; fi
        ;;
      CANCELLED) rv_reason=cancelled ;;
      PREEMPTED) rv_reason=preempted ;;
      TIMEOUT | DEADLINE) rv_reason=time_limit ;;
      PENDING | REQUEUED | REQUEUE_HOLD | SPECIAL_EXIT) rv_reason=requeued ;;
      *) rv_reason=terminated ;;
    esac
  else
    [ "$rv_how" = exited ] || rv_reason=time_limit
  fi
  if [ -e "$chain/$rv_segment.overtaken.$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}" ]; then
    rv_leave_segment "segment $((rv_segment + 1)) has begun elsewhere"
  fi
  if [ "$rv_how" = exited ]; then
    if [ -e "$RV_DONE_FILE" ]; then
      rv_reason=finished rv_code=0
    elif ! rv_listed "$chain/$rv_segment.warned"; then
      rv_reason=crashed
      [ "$rv_code" -ne 0 ] || rv_reason=finished
      # With any exit code: it may have saved and exited because of the preemption.
      ! rv_was_preempted || rv_reason=preempted
    else
      # With any exit code after the warning: if it has saved new state, the next segment continues from there.
      rv_reason=time_limit
      [ "$rv_progress" -eq 1 ] || [ "$rv_code" -eq 0 ] || [ "$rv_code" -ge 128 ] || rv_reason=crashed
    fi
  fi
  # Another start of the chain may have recorded it as lost. If the end can't be written, the run continues: its own end is another
  # record, and a later segment closes this one.
  rv_enter_end "$rv_code $rv_now $rv_reason $rv_progress"
  [ "$?" -ne 1 ] || rv_leave_segment "segment $rv_segment was closed elsewhere"
  rv_event segment_ended ",\"segment\":$rv_segment,\"reason\":\"$rv_reason\",\"exit_code\":$rv_code,\"progress\":$rv_progress"
}

# rv_end_run CODE HOW: records the end of the whole run.
rv_end_run() {
  rv_record_exit "$1" "$2"
  rv_event ended ",\"exit_code\":$1"
  rv_keep_shown
  rv_copy_outputs
}

# rv_continues: 0: start another segment in this job. 1: this job is done.
rv_continues() {
  local left
  case $rv_reason in
    finished) rv_end_run 0 exited ;;
    cancelled) rv_end_run "$rv_code" terminated ;;
    requeued | terminated) ;; # Slurm starts it again, or the next client that polls finds out why it was ended
    *)
      rv_sum_up
      left=$((rv_total - rv_used))
      if [ "$rv_reason" = time_limit ] && [ "$rv_progress" -eq 0 ]; then
        rv_end_run "$rv_code" no_progress
      elif [ "$rv_fruitless" -ge "$rv_max_crashes" ]; then
        rv_end_run "$rv_code" "$rv_failure"
      elif [ "$left" -le $((rv_warning + rv_margin)) ]; then
        rv_end_run "$rv_code" time_up
      elif [ "$rv_reason" = crashed ]; then
        rv_retry_here
        case $? in
          0) return 0 ;;
          1) rv_submit_next ;;
        esac
      else
        rv_submit_next
      fi
      ;;
  esac
  return 1
}

# Retries after a crash in the same allocation (0), after a pause that doubles each time. 1: too little time is left. 2: the job itself is
# being ended, and the next client that polls finds out why.
rv_retry_here() {
  local pause=$((5 << (rv_fruitless < 6 ? rv_fruitless : 6)))
  [ -z "$rv_unfit" ] || return 1
  if rv_suspects_hardware "$RV_RUN_DIR/logs/$rv_node".{err,out}; then
    rv_exclude_node "$rv_node"
    return 1
  fi
  rv_clock
  [ $((rv_now + pause + 2 * (rv_warning + rv_margin))) -lt "$rv_job_ends" ] || return 1
  sleep "$pause"
  # Not if the job is being ended. If Slurm does not answer, retry.
  case $(timeout 20 squeue -a -h -j "$SLURM_JOB_ID" -o %T 2>/dev/null) in
    RUNNING | "") return 0 ;;
  esac
  return 2
}

# Prints another job of this candidate in the queue, from an sbatch whose answer was lost.
rv_find_next() {
  local id name
  while read -r id name; do
    [ "$name" = "$SLURM_JOB_NAME" ] && [ "$id" != "$SLURM_JOB_ID" ] && echo "$id" && return 0
  done < <(squeue --me -a -h -t PENDING,RUNNING,CONFIGURING -o '%i %j' 2>/dev/null)
  return 1
}

# rv_next_options [all]: sets rv_options, sbatch's options for the next segment: nodes to exclude (with `all`, not those that failed), and a
# time limit if less than a whole segment is left. Needs rv_used.
rv_next_options() {
  local limit=$(((rv_total - rv_used + rv_margin + 59) / 60)) exclude=$rv_exclude node
  [ "$limit" -ge 1 ] || limit=1
  if [ "${1:-}" != all ]; then
    while read -r node; do exclude+="${exclude:+,}$node"; done < <(cat "$chain/exclude" 2>/dev/null)
  fi
  rv_options=()
{{?begins_later}}  rv_options+=(--begin=now) # the begin time has passed
  [ -z "$exclude" ] || rv_options+=("--exclude=$exclude")
  [ $((limit * 60)) -ge "$rv_segment_length" ] || rv_options+=("--time=$limit")
  [ $((limit * 60)) -ge "$rv_segment_least" ] || rv_options+=("--time-min=$limit")
}

# `script.sh next [all]`, outside of a job: prints these options, one per line, for a client that submits in the job's place.
if [ "${1:-}" = next ]; then
  rv_read_ledger || exit 1
  rv_last_segment
  rv_sum_up
  rv_next_options "${2:-}"
  for rv_option in ${rv_options[@]+"${rv_options[@]}"}; do echo "$rv_option"; done
  exit 0
fi

# Submits the next segment. Where compute nodes may not submit, this job is requeued; where that is not allowed either, the next rv that
# polls the run submits it.
rv_submit_next() {
  local all="" tries answer id
  rv_read_ledger
  [ -z "$rv_stop$rv_outcome" ] || return 0
  rv_next_options
  for ((tries = 0; tries < 3; tries++)); do
    [ "$tries" -eq 0 ] || sleep $((5 * tries))
    [ "$tries" -eq 0 ] || ! id=$(rv_find_next) || break
    if answer=$(rv_sbatch ${rv_options[@]+"${rv_options[@]}"}); then
      id=${answer##*$'\n'}
      id=${id%%;*}
      break
    fi
    # An sbatch that ended without output was killed: the job may or may not have been accepted.
    [[ -z $answer || $answer =~ 'Socket timed out'|'Unable to contact'|'Zero Bytes' ]] && continue
    # Without the nodes that failed, too few may be left. A node that failed once is better than no segment.
    [[ $answer =~ 'node configuration is not available' ]] || break
    if [ -n "$all" ] || [ ! -s "$chain/exclude" ]; then break; fi
    all=all
    rv_next_options all
  done
  if [[ ${id:-} =~ ^[0-9]+$ ]]; then
    rv_event next ",\"segment\":$((rv_segment + 1)),\"next_job_id\":$id"
    return
  fi
  answer=${answer//[^[:print:]]/ }
  answer=${answer//[\"\\]/_}
  rv_event next_refused ",\"segment\":$((rv_segment + 1)),\"message\":\"$answer\""
  scontrol requeue "$SLURM_JOB_ID" 2>/dev/null
}
