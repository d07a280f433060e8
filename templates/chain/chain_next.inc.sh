
# --- how a segment ends, and what comes after it ---------------------------------------------------------------------

# rv_run_segment COMMAND…: one start of the application. Sets rv_code, and rv_how: exited, or terminated when Slurm's
# TERM came first.
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

# What Slurm calls the end of this job, while the script still runs: accounting knows it first.
rv_word() {
  local word
  word=$(timeout 5 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
  case $word in
    "" | COMPLETING | RUNNING) word=$(timeout 5 sacct -X -n -P -j "$SLURM_JOB_ID" -o State 2>/dev/null | tail -n 1) ;;
  esac
  echo "${word%% *}"
}

# Names the end of the segment, and writes it down.
rv_end_segment() {
  rv_measure_progress
  rv_clock
  [ "$rv_how" = exited ] || rv_ask_end
  if [ "$rv_how" = terminated ] && [ "$rv_now" -lt $((rv_job_ends - 5)) ]; then
    case $(rv_word) in
      RUNNING) # somebody's signal, not the job's end, or so it seems
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
    rv_stand_back "segment $((rv_segment + 1)) has begun elsewhere"
  fi
  if [ "$rv_how" = exited ]; then
    if [ -e "$RV_DONE_FILE" ]; then
      rv_reason=finished rv_code=0
    elif ! rv_listed "$chain/$rv_segment.warned"; then
      rv_reason=crashed
      [ "$rv_code" -ne 0 ] || rv_reason=finished
      # Whatever it says: it may have saved and gone because of it.
      ! rv_was_preempted || rv_reason=preempted
    else
      # Whatever it says after the warning: with new state saved it goes on from there.
      rv_reason=time_limit
      [ "$rv_progress" -eq 1 ] || [ "$rv_code" -eq 0 ] || [ "$rv_code" -ge 128 ] || rv_reason=crashed
    fi
  fi
  # Another start of the chain may have closed it as lost. Where it can't be written down the run goes on all the same: its
  # end is a record of its own, and another segment closes this one.
  rv_enter_end "$rv_code $rv_now $rv_reason $rv_progress"
  [ "$?" -ne 1 ] || rv_stand_back "segment $rv_segment was closed elsewhere"
  rv_event segment_ended ",\"segment\":$rv_segment,\"reason\":\"$rv_reason\",\"exit_code\":$rv_code,\"progress\":$rv_progress"
}

# rv_end_run CODE HOW: the end of the whole run.
rv_end_run() {
  rv_record_exit "$1" "$2"
  rv_event ended ",\"exit_code\":$1"
  rv_keep_shown
  rv_copy_outputs
}

# 0: begin another segment in this job. 1: this job is done.
rv_goes_on() {
  local left
  case $rv_reason in
    finished) rv_end_run 0 exited ;;
    cancelled) rv_end_run "$rv_code" terminated ;;
    requeued | terminated) ;; # Slurm starts it again, or whoever looks next finds out why it was ended
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

# A crash is tried again in the same allocation (0), after a pause that doubles, as long as that leaves time to do
# anything (1: it does not). 2: the job itself is being ended, and whoever looks next finds out why.
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
  # Not in a job that is being ended. No answer from Slurm says nothing about it.
  case $(timeout 20 squeue -a -h -j "$SLURM_JOB_ID" -o %T 2>/dev/null) in
    RUNNING | "") return 0 ;;
  esac
  return 2
}

# Another job of this run's candidate in the queue: an sbatch whose answer was lost.
rv_find_next() {
  local id name
  while read -r id name; do
    [ "$name" = "$SLURM_JOB_NAME" ] && [ "$id" != "$SLURM_JOB_ID" ] && echo "$id" && return 0
  done < <(squeue --me -a -h -t PENDING,RUNNING,CONFIGURING -o '%i %j' 2>/dev/null)
  return 1
}

# rv_next_options [all]: sbatch's words for the next segment, in rv_options: nodes to leave out, those that failed unless
# "all" are to be had, and a time limit where less than a whole segment is left. rv_used is known.
rv_next_options() {
  local limit=$(((rv_total - rv_used + rv_margin + 59) / 60)) exclude=$rv_exclude node
  [ "$limit" -ge 1 ] || limit=1
  if [ "${1:-}" != all ]; then
    while read -r node; do exclude+="${exclude:+,}$node"; done < <(cat "$chain/exclude" 2>/dev/null)
  fi
  rv_options=()
{{?begins_later}}  rv_options+=(--begin=now) # its time has come once
  [ -z "$exclude" ] || rv_options+=("--exclude=$exclude")
  [ $((limit * 60)) -ge "$rv_segment_length" ] || rv_options+=("--time=$limit")
  [ $((limit * 60)) -ge "$rv_segment_least" ] || rv_options+=("--time-min=$limit")
}

# `script.sh next [all]`, in no job: those words, one a line, for who submits in the job's place.
if [ "${1:-}" = next ]; then
  rv_read_ledger || exit 1
  rv_last_segment
  rv_sum_up
  rv_next_options "${2:-}"
  for rv_option in ${rv_options[@]+"${rv_options[@]}"}; do echo "$rv_option"; done
  exit 0
fi

# The next segment. Where compute nodes may not submit, the same job is requeued; where that is not allowed
# either, the next rv that looks at the run submits.
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
    # An sbatch that ended without a word was killed: it may or may not have been accepted.
    [[ -z $answer || $answer =~ 'Socket timed out'|'Unable to contact'|'Zero Bytes' ]] && continue
    # Without the nodes that failed there may be too few left. A node that failed once is better than no segment.
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
