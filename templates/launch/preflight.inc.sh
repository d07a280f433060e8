{{include:milliseconds.inc.sh}}

# --- the preflight -----------------------------------------------------------------------------------------------------

# rv_preflight: tests the job's nodes from the first node, between the claim and the start. The verdict file has a line "VERDICT NODES"
# and a line with the reason. 1: a node failed. If the test has no result, for any reason, the command starts.
rv_preflight_seconds=20
rv_preflight_nodes="" # nodes that failed, separated by commas
rv_preflight_why=""
rv_preflight() {
  local folder=$RV_RUN_DIR/preflight/$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0} verdict="" nodes="" code=0 began
  rv_read_clock
  began=$rv_ms
  if ! mkdir -p "$folder"; then
    rv_preflight_why="can't write to the run folder"
  elif [ ! -x "$rv_program" ]; then
    rv_preflight_why="$rv_program does not exist on $rv_node"
  else
    # A file, not a pipe: a process that hangs in the driver can't be killed, and would keep a pipe open.
    RV_HOME="${RV_RUN_DIR%/runs/*}" timeout -k 1 $((rv_preflight_seconds - 1)) "$rv_program" --preflight "$folder" \
      </dev/null >"$folder/verdict" 2>"$folder/log" || code=$?
    { read -r verdict nodes && IFS= read -r rv_preflight_why; } <"$folder/verdict"
    if [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
      rv_preflight_why="it did not end within $rv_preflight_seconds s"
    elif [ "$code" -ne 0 ]; then
      rv_preflight_why=$(sed -n 's/^rv: error: //p' "$folder/log" | LC_ALL=C tr -cd '[:print:]' | tr -d "\"\\\\")
      rv_preflight_why=${rv_preflight_why:-"rv ended with exit code $code"}
    fi
    [ "$code" -eq 0 ] || verdict=unknown
  fi
  case $verdict in pass | fail) ;; *) verdict=unknown ;; esac
  rv_read_clock
  if [ "$verdict" = fail ]; then rv_preflight_nodes=$nodes; else nodes=""; fi
  rv_event preflight ",\"verdict\":\"$verdict\",\"ms\":$((rv_ms - began)),\"failed\":\"$nodes\",\"why\":\"$rv_preflight_why\""
  [ "$verdict" != fail ]
}

# rv_fail_preflight: in a chain, the segment fails and the next one excludes the nodes. Otherwise the attempt ends here, before user
# code, and the next attempt excludes them.
rv_fail_preflight() {
  local node
  if [ -n "${rv_chain:-}" ]; then
    # shellcheck disable=SC2034 # the loop over segments reads it
    rv_unfit=1
    for node in ${rv_preflight_nodes//,/ }; do rv_exclude_node "$node"; done
    return
  fi
  rv_yield_if_restarted
  rv_record_exit 1 preflight
  rv_event ended ",\"exit_code\":1"
{{?resubmits}}  rv_retry 1 preflight
  exit 1
}
