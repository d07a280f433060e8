
# --- the start gate --------------------------------------------------------------------------------------------------

# Cancels the other candidates of this run, which are recognised by their full job names. Candidates of a later attempt are not
# cancelled: that attempt exists because this job was considered lost. By the time of the scancel an ID may belong to another job (on a
# node that was frozen), so scancel also compares the name, from 23.11 on in the controller itself (--ctld).
rv_cancel_siblings() {
  local id name
  while read -r id name; do
    [[ $name =~ "@$RV_RUN_ID."[0-9]+(\.([0-9]+))?$ ]] || continue
    [ "$id" = "$rv_job" ] || [ "${BASH_REMATCH[2]:-1}" -gt "$rv_attempt" ] ||
      scancel --ctld --user="$UID" --name="$name" "$id" </dev/null
  done < <(squeue --me -a -h -t PENDING,RUNNING,SUSPENDED,CONFIGURING -o '%F %j' 2>/dev/null)
}

# Returns if this job may start the command, and exits if it may not.
rv_pass_gate() {
  local won=""
  while :; do
    rv_decide rv_at_gate
    case $rv_verdict in
      pass) break ;;
      claim)
        # Only before the first start: later, Slurm and the run folders may have no record of the predecessor.
        if [ -n "${rv_after:-}" ] && [ -z "$rv_was_claimed" ]; then
          rv_follow_predecessor || continue
        fi
        rv_enter claim -
        case $? in
          0) won=1 ;;
          2) rv_no_records ;;
        esac
        ;;
      *) rv_exit_unstarted ;;
    esac
  done
  # A command that may not start again is refused before the set-up lines run.
  [ -n "${rv_chain:-}" ] || { rv_decide "$rv_start_rule" && [ "$rv_verdict" = start ]; } || rv_exit_unstarted
  [ -z "${rv_chain:-}" ] || rv_begin_segment
  rv_event claimed ",\"nodes\":\"${SLURM_JOB_NODELIST:-}\",\"restarts\":${SLURM_RESTART_COUNT:-0}${rv_segment:+,\"segment\":$rv_segment}"
  # In an array, only the element that made the claim. Without another intent on record there are no other candidates.
  if [ -n "$won" ] && [ "$(grep -c '"event":"intent"' "$RV_RUN_DIR/events.jsonl")" -gt 1 ]; then
    rv_cancel_siblings </dev/null &
  fi
}

# rv_yield_if_restarted: after a failure before user code, exits if Slurm considered this start lost and has started the job again.
rv_yield_if_restarted() {
  local said
  [ -n "$rv_may_restart" ] || return 0
  said=$(timeout 20 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null) || return 0
  if [[ $said =~ ' Restarts='([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -gt "${SLURM_RESTART_COUNT:-0}" ]; then
    rv_verdict=yield
    rv_exit_unstarted
  fi
}
{{?notify_folder}}{{include:notify.inc.sh}}
