
# --- the user's own variables ----------------------------------------------------------------------------------------

# The variables of rv env are in a file of the run folder that only its owner can read. Only the command's own shell reads it: Slurm
# stores the environment of every submission, and this script submits the next job of a chain.
rv_read_user_secrets() {
  if [ ! -r "$RV_RUN_DIR/environment" ]; then
    echo "rv: can't read the variables of rv env in $RV_RUN_DIR: the run is over, or its folder is not readable" >&2
    return 1
  fi
  . "$RV_RUN_DIR/environment"
}

# rv_forget_environment CODE/HOW: deletes them, if no further start of the run is possible.
rv_forget_environment() {
  if [ -n "${rv_elements:-}" ]; then
    # The last element to end deletes them. If rv may start elements again, only if all succeeded: otherwise the client that records the
    # run's outcome deletes them.
    local bad ended
    read -r bad ended < <(rv_count_elements "$RV_RUN_DIR")
    [ "$ended" -ge "$rv_elements" ] || return 0
    [ "$bad" -eq 0 ] || [ -z "$rv_may_restart" ] || return 0
  fi
  # A client that finds no reason for another attempt writes the outcome and deletes them.
  [ -z "${rv_retries:-}" ] || [ "$1" = 0/exited ] || return 0
  [[ $1 != */preflight ]] || return 0
  if [ -n "$rv_may_restart" ] && [ -z "${rv_chain:-}" ] && [ "$1" != 0/exited ]; then
    # Slurm starts the job again after a node failure or a preemption, and after the exit codes of RequeueExit. After a hardware failure
    # the run races again on other nodes; the process that records its end then deletes them.
    ! rv_suspects_hardware "$RV_RUN_DIR"/logs/* || return 0
    [[ $1 == */exited ]] && scontrol show config 2>/dev/null | grep -q '^RequeueExit *= (null)' || return 0
  fi
  # Earlier versions of rv also stored the values in the configuration of each ssh connection.
  rm -f "$RV_RUN_DIR/environment" "$RV_RUN_DIR"/ssh/*/config
}
