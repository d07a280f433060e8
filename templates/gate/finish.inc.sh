
# --- one start of the command ------------------------------------------------------------------------------------------

# rv_run COMMAND…: runs it, waits, records how it ended. A TERM (time limit, scancel) is passed on to the command, whose
# exit is still awaited; Slurm's KILL comes after KillWait.
rv_run() {
  local code how=exited rv_code="" rv_minder=""
  rv_begin 0
  rv_event started
  # Before the command is there, a TERM would end this script without a record.
  trap 'how=terminated rv_woken=1; [ -z "$rv_minder" ] || rv_signal_command TERM' TERM
  rv_spawn "$@"
  [ "$how" = exited ] || rv_signal_command TERM
  rv_wait
  code=$rv_code
  # A TERM from Slurm reaches the command's processes and this one a moment apart.
  if [ "$code" -gt 128 ] && [ "$how" = exited ]; then
    sleep 0.5 &
    wait $!
  fi
  # A command that has come to its end all the same, with 0, has not failed for want of time.
  if [ "$how" = exited ] && [ "$code" -ne 0 ] && { [ -n "$rv_may_restart" ] || [ "$code" -gt 128 ]; }; then
    ! rv_was_preempted || how=preempted
  fi
  # Too late to pass anything on: what is left is to write down how it ended.
  trap '' TERM
  rv_finish_code=$code
  rv_finish_how=$how
}

# What could not be set up has failed, and with it the run: but not by the word of a start that Slurm took for lost, when it
# has started the job again.
rv_fail_set_up() {
  rv_finish_code=1 rv_finish_how=exited
  local said
  [ -n "$rv_may_restart" ] || return 0
  said=$(timeout 20 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null) || return 0
  if [[ $said =~ ' Restarts='([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -gt "${SLURM_RESTART_COUNT:-0}" ]; then
    rv_verdict=yield
    rv_step_back
  fi
}

# Back into the queue. Newer releases put a job that ends in its grace there by themselves (and refuse this), older ones call
# it failed and leave it.
rv_requeue_preempted() {
  [ "$rv_finish_how" = preempted ] && [ -n "$rv_may_restart" ] || return 0
  scontrol requeue "$SLURM_JOB_ID" 2>/dev/null
}
