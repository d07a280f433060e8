
# --- the start gate --------------------------------------------------------------------------------------------------

# Cancels the other candidates of this run and nothing else: a job is one of them only by its whole name. Not those of a
# later attempt: it has begun because this job was taken for lost. An ID can be another job's by the time of the scancel (a
# node that was frozen): Slurm compares the name, too, from 23.11 on in the controller itself (--ctld).
rv_cancel_siblings() {
  local id name
  while read -r id name; do
    [[ $name =~ "@$RV_RUN_ID."[0-9]+(\.([0-9]+))?$ ]] || continue
    [ "$id" = "$rv_job" ] || [ "${BASH_REMATCH[2]:-1}" -gt "$rv_attempt" ] ||
      scancel --ctld --user="$UID" --name="$name" "$id" </dev/null
  done < <(squeue --me -a -h -t PENDING,RUNNING,SUSPENDED,CONFIGURING -o '%F %j' 2>/dev/null)
}

# Goes on when the run is this job's, and ends here when it is another's.
rv_pass_gate() {
  local won=""
  while :; do
    rv_decide rv_at_gate
    case $rv_verdict in
      pass) break ;;
      claim)
        # Only before the first start: later its predecessor may be long forgotten.
        if [ -n "${rv_after:-}" ] && [ -z "$rv_was_claimed" ]; then
          rv_follow_predecessor || continue
        fi
        rv_enter claim -
        case $? in
          0) won=1 ;;
          2) rv_no_records ;;
        esac
        ;;
      *) rv_step_back ;;
    esac
  done
  # What may not start again is refused before the site's set-up, too.
  [ -n "${rv_chain:-}" ] || { rv_decide "$rv_start_rule" && [ "$rv_verdict" = start ]; } || rv_step_back
  [ -z "${rv_chain:-}" ] || rv_begin_segment
  rv_event claimed ",\"nodes\":\"${SLURM_JOB_NODELIST:-}\",\"restarts\":${SLURM_RESTART_COUNT:-0}${rv_segment:+,\"segment\":$rv_segment}"
  # Of an array's elements the one that made the claim. With no other intent on record there is nobody to cancel.
  if [ -n "$won" ] && [ "$(grep -c '"event":"intent"' "$RV_RUN_DIR/events.jsonl")" -gt 1 ]; then
    rv_cancel_siblings </dev/null &
  fi
}

# rv_yield_if_restarted: steps back from a failure before user code if Slurm took this start for lost and has started the job again.
rv_yield_if_restarted() {
  local said
  [ -n "$rv_may_restart" ] || return 0
  said=$(timeout 20 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null) || return 0
  if [[ $said =~ ' Restarts='([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -gt "${SLURM_RESTART_COUNT:-0}" ]; then
    rv_verdict=yield
    rv_step_back
  fi
}
{{?notify_folder}}{{include:notify.inc.sh}}
