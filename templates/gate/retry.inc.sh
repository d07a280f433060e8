
# --- another attempt -------------------------------------------------------------------------------------------------

# rv_retry CODE HOW: after a failure of the command (--retries), of the set-up lines or of the preflight. The job polls its run, so the
# next attempt is submitted even if no client runs. If the node has no rv, or can't submit, the next client that polls the run does it.
rv_retry() {
  [ "$1" -ne 0 ] || return 0
  [ "$2" = exited ] || [ "$2" = setup ] || [ "$2" = preflight ] || return 0
  rv_poll "$RV_RUN_DIR" || return 0
}
