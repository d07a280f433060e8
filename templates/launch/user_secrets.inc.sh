
# --- the user's own variables ----------------------------------------------------------------------------------------

# What rv env holds was put into the run's folder, in a file that only its owner can read. Only the command's own shell reads it:
# Slurm keeps the environment of every submission, and the next job of a chain is submitted from here.
rv_read_user_secrets() {
  if [ ! -r "$RV_RUN_DIR/environment" ]; then
    echo "rv: can't read the variables of rv env in $RV_RUN_DIR: the run is over, or its folder is not readable" >&2
    return 1
  fi
  . "$RV_RUN_DIR/environment"
}

# rv_forget_environment CODE/HOW: deletes them, if nothing of the run can start any more.
rv_forget_environment() {
  if [ -n "${rv_elements:-}" ]; then
    # The last element to end. Where rv may start some of them again, only if all ended well: else rv removes the file with
    # the run's outcome.
    local bad ended
    read -r bad ended < <(rv_count_elements "$RV_RUN_DIR")
    [ "$ended" -ge "$rv_elements" ] || return 0
    [ "$bad" -eq 0 ] || [ -z "$rv_may_restart" ] || return 0
  fi
  # A client that finds no reason for another attempt writes the outcome and deletes them.
  [ -z "${rv_retries:-}" ] || [ "$1" = 0/exited ] || return 0
  [[ $1 != */preflight ]] || return 0
  if [ -n "$rv_may_restart" ] && [ -z "${rv_chain:-}" ] && [ "$1" != 0/exited ]; then
    # Slurm starts the job again after a node failure or a preemption, and where a site says so after certain codes.
    # After a hardware failure the run races again elsewhere; who writes down its end then deletes them.
    ! rv_suspects_hardware "$RV_RUN_DIR"/logs/* || return 0
    [[ $1 == */exited ]] && scontrol show config 2>/dev/null | grep -q '^RequeueExit *= (null)' || return 0
  fi
  # Earlier versions of rv kept the values in the configuration of each ssh connection, too.
  rm -f "$RV_RUN_DIR/environment" "$RV_RUN_DIR"/ssh/*/config
}
