
# --- the run that this one follows -------------------------------------------------------------------------------------

rv_after={{after}}
rv_after_absent=0 # how many polls in a row have not found its folder
rv_after_folder={{after_folder}}
rv_after_ok={{after_only_ok}}
rv_after_elements={{after_elements}}
rv_after_chain={{after_chain}}
rv_after_requeue={{after_requeue}}
rv_after_lag={{after_lag}} # until a record that was made elsewhere is seen on this file system, seconds

# In the predecessor's ledger, in the place of this run's. In a subshell.
rv_read_predecessor() {
  rv_ledger=$rv_after_folder/ledger/ rv_length=0 rv_add=rv_add_entry
  rv_present=1 rv_claim="" rv_start="" rv_exit="" rv_stop="" rv_outcome="" rv_postponed=" "
  rv_chain=$rv_after_chain rv_may_restart=$rv_after_requeue$rv_after_chain
  rv_read_ledger
}

{{include:count_elements.inc.sh}}

# The predecessor's end: 0 it ended well, 1 it ended otherwise, 2 it goes on (rv_after_jobs: its jobs), 3 nobody can tell,
# 4 it has come to a bad end, from which rv may start it again on other nodes.
rv_predecessor() {
  local id name rows bad ended word
  rv_after_jobs=""
  # It was removed, or its mount is away for a moment.
  if [ ! -d "$rv_after_folder" ]; then
    rv_after_absent=$((rv_after_absent + 1))
    [ "$rv_after_absent" -ge 4 ] && [ -d "${rv_after_folder%/*}" ] && return 1
    return 3
  fi
  rv_after_absent=0
  word=$(
    rv_read_predecessor || exit 1
    if [ "$rv_exit" = "exited 0" ] || [ "$rv_outcome" = "done" ]; then
      echo well
    elif [ -n "$rv_outcome" ]; then
      echo badly
    elif [ -n "$rv_stop" ] && [ -z "$rv_start$rv_after_elements" ]; then
      echo badly
    elif rv_has_ended; then
      # What has begun and may not begin again never does.
      if [ -n "$rv_start" ] && [ -z "$rv_may_restart" ]; then echo badly; else echo undecided; fi
    elif [ -n "$rv_stop" ]; then
      echo stopping
    elif [ "$rv_present" -gt 1 ] && [ -z "$rv_claim" ]; then
      echo again
    fi
  ) || return 3
  case $word in
    well) return 0 ;;
    badly) return 1 ;;
    undecided) return 4 ;;
  esac
  if [ -n "$rv_after_elements" ]; then
    read -r bad ended < <(rv_count_elements "$rv_after_folder")
    if [ "$ended" -ge "$rv_after_elements" ]; then
      [ "$bad" -ne 0 ] || return 0
      [ -n "$rv_after_requeue" ] || return 1
    fi
  fi
  rows=$(squeue --me -a -h -t PENDING,RUNNING,SUSPENDED,CONFIGURING,COMPLETING,REQUEUED,REQUEUE_HOLD,SPECIAL_EXIT -o '%F %j' 2>/dev/null) || return 3
  while read -r id name; do
    case $name in
      *"@$rv_after."*) rv_after_jobs+=":$id" ;;
    esac
  done <<<"$rows"
  [ -z "$rv_after_jobs" ] || return 2
  [ "$word" != stopping ] || return 1
  # An attempt, or a chain's next segment, that has yet to be submitted.
  [ "$word" != again ] && [ -z "$rv_after_chain" ] || return 2
  return 4
}

# Puts down that the predecessor's bad end is its last word, so that no rv starts it again. 1: rv was faster, or it has ended
# well after all.
rv_close_predecessor() (
  RV_CANDIDATE=0
  while :; do
    rv_read_predecessor || exit 1
    [ "$rv_exit" != "exited 0" ] && [ "$rv_outcome" != "done" ] || exit 1
    [ -z "$rv_outcome" ] || exit 0
    rv_attempt=$rv_present
    if [ -n "$rv_exit$rv_after_elements" ]; then rv_enter outcome failed; else rv_enter outcome lost; fi
    case $? in
      0) exit 0 ;;
      2) exit 1 ;;
    esac
  done
)

# Of the whole run, also where this job is an element.
rv_record_run_exit() {
  local rv_start_ledger="" rv_exit_file=$RV_RUN_DIR/ledger/.exit.$rv_token
  rv_record_exit "$@"
}

# Goes on (0) when the predecessor's end allows it, ends the run when it forbids it, and else goes back into the queue: the
# jobs that Slurm was told to wait for need not have been the last ones (another candidate, a later segment). 1: look at
# the run's own ledger again.
rv_follow_predecessor() {
  local answer end tries options pause undecided=0 unseen=0 others=0
  for ((tries = 0; tries < 60; tries++)); do
    [ "$tries" -eq 0 ] || sleep "$pause"
    pause=15
    rv_read_ledger || rv_no_records
    rv_at_gate
    [ "$rv_verdict" = claim ] || return 1
    rv_predecessor
    end=$?
    if [ "$end" -eq 4 ]; then
      # Its last records may still be on their way, and who follows it may start it again on other nodes.
      undecided=$((undecided + 1)) pause=5
      [ "$undecided" -ge 4 ] && [ $(((undecided - 1) * 5)) -ge "$rv_after_lag" ] && rv_close_predecessor && end=1
    else
      undecided=0
    fi
    case $end in
      0) return 0 ;;
      1)
        [ -n "$rv_after_ok" ] || return 0
        rv_enter claim -
        case $? in
          1) return 1 ;;
          2) rv_no_records ;;
        esac
        rv_event predecessor ",\"run\":\"$rv_after\""
        rv_cancel_siblings </dev/null
        rv_record_run_exit 1 predecessor
        exit 0
        ;;
      2)
        # An attempt or a segment that is to be submitted mostly is within seconds: ten minutes would be lost by going back.
        if [ -z "$rv_after_jobs" ] && [ "$unseen" -lt 3 ]; then
          unseen=$((unseen + 1)) pause=5
          continue
        fi
        # All elements of an array go back together: the first of them sees to it, the others wait for its word. Where it
        # says nothing for long it is gone. A second array would end at the gate.
        if [ -n "${SLURM_ARRAY_JOB_ID:-}" ] && ! mkdir "$RV_RUN_DIR/jobs/$rv_job.postponing" 2>/dev/null; then
          others=$((others + 1))
          [ $((others % 12)) -ne 0 ] || rmdir "$RV_RUN_DIR/jobs/$rv_job.postponing"
          continue
        fi
        options=("--dependency=afterany$rv_after_jobs")
        [ -n "$rv_after_jobs" ] || options=(--dependency= --begin=now+10minutes)
        if answer=$(rv_sbatch ${options[@]+"${options[@]}"}); then
          answer=${answer##*$'\n'}
          rv_event next ",\"next_job_id\":${answer%%;*}"
          [ -n "${SLURM_ARRAY_JOB_ID:-}" ] || exit 0
          rv_enter postpone "${answer%%;*}"
          [ "$?" -ne 1 ] || rv_enter postpone "${answer%%;*}"
          scancel --state=PENDING --user="$UID" --name="$SLURM_JOB_NAME" "$rv_job"
          exit 0
        fi
        # Where compute nodes may not submit, this job waits with what it has.
        [ -z "${SLURM_ARRAY_JOB_ID:-}" ] || rmdir "$RV_RUN_DIR/jobs/$rv_job.postponing"
        ;;
    esac
  done
  echo "rv: the run $rv_after that this one follows is still not over, and nobody can tell when it will be" >&2
  exit 1
}
