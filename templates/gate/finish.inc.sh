
# --- one start of the command ------------------------------------------------------------------------------------------

# rv_run COMMAND…: runs the set-up lines and the command, waits, and sets rv_finish_code and rv_finish_how. A TERM (time limit,
# scancel) is passed on to the command, whose exit is still awaited; Slurm's KILL comes after KillWait.
rv_run() {
  local code how=exited rv_code="" rv_minder="" set_up=1
  trap 'how=terminated rv_woken=1; [ -z "$rv_minder" ] || rv_signal_command TERM' TERM
  rv_spawn "$@"
  [ "$how" = exited ] || rv_signal_command TERM
  rv_await_setup || set_up=""
  if [ "$how" = terminated ]; then
    # The command has not started: Slurm's job state is the reason for the end.
    trap - TERM
    kill -s TERM "$$"
  fi
  if [ -z "$set_up" ]; then
    rv_fail_set_up
    trap '' TERM
    return
  fi
  rv_begin 0
  rv_event started
  rv_let_begin
  rv_wait
  code=$rv_code
  # A TERM from Slurm reaches the command's processes and this one a moment apart. In a step it reaches all of them, and a command
  # that handles it can end with any code.
  if [ "$code" -gt "${rv_least_code:-128}" ] && [ "$how" = exited ]; then
    sleep 0.5 &
    wait $!
  fi
  # A command that ended with 0 in spite of the preemption has succeeded.
  if [ "$how" = exited ] && [ "$code" -ne 0 ] && { [ -n "$rv_may_restart" ] || [ "$code" -gt 128 ]; }; then
    ! rv_was_preempted || how=preempted
  fi
  # The command has ended. From here on nothing may interrupt the recording of its end.
  trap '' TERM
  rv_finish_code=$code
  rv_finish_how=$how
}

# The set-up lines failed, and so has the run, unless Slurm considered this start lost and has started the job again.
rv_fail_set_up() {
  rv_finish_code=1 rv_finish_how=setup
  rv_yield_if_restarted
}

# Requeues a preempted job. Newer releases of Slurm requeue a job that ends in its grace time themselves (and refuse this); older ones
# mark it as failed.
rv_requeue_preempted() {
  [ "$rv_finish_how" = preempted ] && [ -n "$rv_may_restart" ] || return 0
  scontrol requeue "$SLURM_JOB_ID" 2>/dev/null
}
