
# --- one element of the array ------------------------------------------------------------------------------------------

# All elements share the run's claim. Each has its own ledger (elements/<index>.<number>) with its starts and exits, its own logs
# and its own outputs.
rv_job=$SLURM_ARRAY_JOB_ID
# shellcheck disable=SC2034  # for the last element, which deletes the variables of rv env
rv_elements={{array_elements}}
rv_output=$RV_RUN_DIR/output/$SLURM_ARRAY_TASK_ID
rv_label=$SLURM_ARRAY_TASK_ID
[ "$RV_NNODES" -eq 1 ] || rv_label=$SLURM_ARRAY_TASK_ID.$rv_node
export RV_ARRAY_INDEX=$SLURM_ARRAY_TASK_ID
mkdir -p "$rv_output"

rv_element_length=0
rv_element_start="" # of this attempt
rv_element_starter="" # token of the process that wrote the start entry
rv_element_exit=""
rv_start_ledger=rv_in_element
rv_start_rule=rv_at_element_start
rv_exit_file=$RV_RUN_DIR/elements/.exit.$rv_token

# Entries of earlier attempts do not count: the element is repeated in this attempt.
rv_add_element_entry() {
  [ "$attempt" -ge "$rv_attempt" ] || return 0
  case $kind in
    start) rv_element_start="$job $restart" rv_element_starter=$token rv_element_exit="" ;;
    exit) [ -n "$rv_element_start" ] && [ "$token" != "$rv_element_starter" ] || rv_element_exit="$word $code" ;;
    *) return 1 ;;
  esac
}

# rv_in_element COMMAND…: runs it with the element's ledger instead of the run's.
rv_in_element() {
  local code rv_ledger=$RV_RUN_DIR/elements/$SLURM_ARRAY_TASK_ID. rv_length=$rv_element_length rv_add=rv_add_element_entry
  "$@"
  code=$?
  rv_element_length=$rv_length
  return "$code"
}

rv_at_element_start() {
  rv_in_element rv_read_ledger || rv_no_records
  rv_at_gate
  case $rv_verdict in
    claim) rv_verdict=yield ;;
    pass)
      rv_verdict=start
      if rv_is_overtaken "$rv_element_start"; then
        rv_verdict=yield
      elif [ -n "$rv_element_exit" ] && { ! rv_ended_on_request "$rv_element_exit" || [ -z "$rv_may_restart" ]; }; then
        rv_verdict=over
      elif [ -n "$rv_element_start" ] && [ -z "$rv_may_restart" ]; then
        rv_verdict=refused
      fi
      ;;
  esac
}
{{include:count_elements.inc.sh}}
