
# --- another attempt -------------------------------------------------------------------------------------------------

rv_program={{rv_program}}

# rv_retry CODE HOW: after a failure of the command (--retries), of the set-up lines or of the preflight. The job polls the run once, as
# a client does, so the next attempt is submitted even if no client runs. Slurm ends the job's processes together with this script, so
# it waits for the submission. If the node has no rv, or can't submit, the next client that polls the run does it.
rv_retry() {
  local tries
  [ "$1" -ne 0 ] && [ -x "$rv_program" ] || return 0
  [ "$2" = exited ] || [ "$2" = setup ] || [ "$2" = preflight ] || return 0
  rv_list_own_variables
  env ${rv_unset[@]+"${rv_unset[@]}"} RV_HOME="${RV_RUN_DIR%/runs/*}" timeout 60 "$rv_program" show "$RV_RUN_ID" </dev/null >/dev/null 2>&1
  for ((tries = 0; tries < 50; tries++)); do
    rv_read_ledger || return 0
    if [ "$rv_present" -ne "$rv_attempt" ] || [ -n "$rv_outcome" ]; then break; fi
    sleep 0.1
  done
  [ "$rv_present" -eq "$rv_attempt" ] || flock -w 60 "$RV_RUN_DIR/submit.lock" true
}
