
# --- the run that this one follows -------------------------------------------------------------------------------------

rv_after={{after}}
rv_after_absent=0 # how many polls in a row have not found its folder
rv_after_folder={{after_folder}}
rv_after_ok={{after_only_ok}}
rv_after_elements={{after_elements}}
rv_after_chain={{after_chain}}
rv_after_requeue={{after_requeue}}
rv_after_lag={{after_lag}} # seconds until a record of another machine is visible on this file system

# Reads the predecessor's ledger instead of this run's. Call it in a subshell.
rv_read_predecessor() {
  rv_ledger=$rv_after_folder/ledger/ rv_length=0 rv_add=rv_add_entry
  rv_present=1 rv_claim="" rv_start="" rv_exit="" rv_stop="" rv_outcome="" rv_postponed=" "
  rv_chain=$rv_after_chain rv_may_restart=$rv_after_requeue$rv_after_chain
  rv_read_ledger
}

{{include:count_elements.inc.sh}}

# rv_copies FOLDER JSON: whether the --output of a start with this exit entry is still being copied (outputs.inc.sh), or its job was
# ended before that.
rv_copies() {
  [[ $2 =~ \"copy\":\"([^\"]+)\" ]] || return 1
  set -- "$1/jobs/${BASH_REMATCH[1]}" "$1"/jobs/*
  [[ " ${*:2} " != *" $1.copied "* && " ${*:2} " != *" $1.copy_failed "* ]]
}

# rv_copies_elements FOLDER: the same for any element of an array.
rv_copies_elements() {
  local file kind more
  for file in "$1"/elements/[0-9]*; do
    read -r kind _ _ _ _ _ _ _ _ _ _ more <"$file" || continue
    [ "$kind" != exit ] || ! rv_copies "$1" "$more" || return 0
  done
  return 1
}

# Returns the state of the predecessor: 0 it succeeded, 1 it failed for good, 2 it is not over (rv_after_jobs: its jobs), 3 unknown,
# 4 it failed, but rv may start it again: with --retries, or on other nodes.
rv_predecessor() {
  local id name rows bad ended word
  rv_after_jobs=""
  # It was removed, or its mount is temporarily missing.
  if [ ! -d "$rv_after_folder" ]; then
    rv_after_absent=$((rv_after_absent + 1))
    [ "$rv_after_absent" -ge 4 ] && [ -d "${rv_after_folder%/*}" ] && return 1
    return 3
  fi
  rv_after_absent=0
  word=$(
    rv_read_predecessor || exit 1
    if [ "$rv_exit" = "exited 0" ] && [ -z "$rv_outcome" ] && rv_copies "$rv_after_folder" "$rv_exit_more"; then
      echo copying
    elif [ "$rv_exit" = "exited 0" ] || [ "$rv_outcome" = "done" ]; then
      echo well
    elif [ -n "$rv_outcome" ]; then
      echo badly
    elif [ -n "$rv_stop" ] && [ -z "$rv_start$rv_after_elements" ]; then
      echo badly
    elif rv_has_ended; then
      # A command that has started, and may start only once, is not started again.
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
      if [ "$bad" -eq 0 ]; then
        rv_copies_elements "$rv_after_folder" || return 0
        word=copying
      elif [ -z "$rv_after_requeue" ]; then
        return 1
      fi
    fi
  fi
  rows=$(squeue --me -a -h -t PENDING,RUNNING,SUSPENDED,CONFIGURING,COMPLETING,REQUEUED,REQUEUE_HOLD,SPECIAL_EXIT -o '%F %j' 2>/dev/null) || return 3
  while read -r id name; do
    case $name in
      *"@$rv_after."*) rv_after_jobs+=":$id" ;;
    esac
  done <<<"$rows"
  [ -z "$rv_after_jobs" ] || return 2
  # An interrupted copy does not change the result.
  [ "$word" != copying ] || return 0
  [ "$word" != stopping ] || return 1
  # A retry or the next segment of a chain has not been submitted yet.
  [ "$word" != again ] && [ -z "$rv_after_chain" ] || return 2
  return 4
}

# For a node without rv: records the predecessor's failure as final, so that no rv starts it again. 1: rv was faster, or it has
# succeeded meanwhile.
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

# Records the exit of the whole run, also if this job is an element.
rv_record_run_exit() {
  local rv_start_ledger="" rv_exit_file=$RV_RUN_DIR/ledger/.exit.$rv_token
  rv_record_exit "$@"
}

# rv_end_unstarted HOW: ends the run without a start; `unqueued`: for the reason in rv_reply. 1: read the ledger again.
rv_end_unstarted() {
  rv_enter claim -
  case $? in
    1) return 1 ;;
    2) rv_no_records ;;
  esac
  rv_event predecessor ",\"run\":\"$rv_after\""
  rv_cancel_siblings </dev/null
  rv_record_run_exit 1 "$1"
  exit 0
}

# Submits this job again, with a dependency on the predecessor's jobs or for ten minutes from now. One element does it for a whole
# array. 1: sbatch refused it, for the reason in rv_reply.
rv_go_back() {
  local options=("--dependency=afterany$rv_after_jobs")
  [ -n "$rv_after_jobs" ] || options=(--dependency= --begin=now+10minutes)
  rv_reply=$(rv_sbatch ${options[@]+"${options[@]}"}) || return 1
  rv_reply=${rv_reply##*$'\n'}
  rv_event next ",\"next_job_id\":${rv_reply%%;*}"
  [ -n "${SLURM_ARRAY_JOB_ID:-}" ] || exit 0
  rv_enter postpone "${rv_reply%%;*}"
  [ "$?" -ne 1 ] || rv_enter postpone "${rv_reply%%;*}"
  scancel --state=PENDING --user="$UID" --name="$SLURM_JOB_NAME" "$rv_job"
  exit 0
}

# Where compute nodes may not submit, this job is requeued. Slurm starts it again after two minutes at the earliest, and ends this
# script at once; the dependency prevents a start that would be too early. 1: Slurm refused that too.
rv_requeue_follower() {
  scontrol update jobid="$SLURM_JOB_ID" requeue=1 2>/dev/null
  rv_reply=$(timeout 60 scontrol requeue "$SLURM_JOB_ID" 2>&1) || return 1
  [ -z "$rv_after_jobs" ] || scontrol update jobid="$SLURM_JOB_ID" dependency="afterany$rv_after_jobs" 2>/dev/null
  exit 0
}

# rv_is_outage MESSAGE: whether Slurm does not respond at all, so that no job of the cluster can start.
rv_is_outage() { [[ -z $1 || $1 =~ 'Socket timed out'|'Unable to contact'|'Zero Bytes' ]]; }

# Releases the GPUs until the predecessor is over. 1: not possible now; poll again later.
rv_leave_for_later() {
  local refusal=$RV_RUN_DIR/jobs/$rv_job.no_submission
  if [ ! -e "$refusal" ]; then
    # The first element submits. The others wait for the result, and one takes over after 12 polls without it. A second array would
    # exit at the gate.
    if [ -n "${SLURM_ARRAY_JOB_ID:-}" ] && ! mkdir "$RV_RUN_DIR/jobs/$rv_job.postponing" 2>/dev/null; then
      rv_polls=$((rv_polls + 1))
      [ $((rv_polls % 12)) -ne 0 ] || rmdir "$RV_RUN_DIR/jobs/$rv_job.postponing"
      return 1
    fi
    rv_go_back
    [ -z "${SLURM_ARRAY_JOB_ID:-}" ] || rmdir "$RV_RUN_DIR/jobs/$rv_job.postponing"
    ! rv_is_outage "$rv_reply" || return 1
    echo "$rv_reply" >"$refusal"
  fi
  rv_requeue_follower
  ! rv_is_outage "$rv_reply" || return 1
  read -r rv_reply <"$refusal"
  rv_end_unstarted unqueued
}

# Forbids requeues again, which were allowed only while the job waited.
rv_end_waiting() {
  [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ] || [ -n "$rv_may_restart" ] ||
    scontrol update jobid="$SLURM_JOB_ID" requeue=0 2>/dev/null
  return 0
}

# Returns 0 if the predecessor's end allows the start, and ends the run if it forbids it. Otherwise the job returns to the queue: the
# jobs of its dependency need not be the last ones (another candidate, a later segment). 1: read the run's own ledger again.
rv_follow_predecessor() {
  local end pause=0 undecided=0 unseen=0 silent=0 rv_polls=0 rv_reply=""
  while :; do
    sleep "$pause"
    pause=15
    rv_read_ledger || rv_no_records
    rv_at_gate
    [ "$rv_verdict" = claim ] || return 1
    rv_predecessor
    end=$?
    if [ "$end" -eq 4 ] && rv_poll "$rv_after_folder"; then
      # It has retries left, or was lost: rv has decided that now, unless Slurm does not know yet how its job ended.
      rv_predecessor
      end=$?
      [ "$end" -ne 4 ] || end=3
    elif [ "$end" -eq 4 ]; then
      # Its last records may not be visible yet, and a client may start it again on other nodes.
      undecided=$((undecided + 1)) pause=5
      [ "$undecided" -ge 4 ] && [ $(((undecided - 1) * 5)) -ge "$rv_after_lag" ] && rv_close_predecessor && end=1
    else
      undecided=0
    fi
    case $end in
      0)
        rv_end_waiting
        return 0
        ;;
      1)
        [ -n "$rv_after_ok" ] || { rv_end_waiting && return 0; }
        rv_end_unstarted predecessor || return 1
        ;;
      2)
        # The next attempt or segment is usually submitted within seconds, and returning to the queue costs ten minutes.
        if [ -z "$rv_after_jobs" ] && [ "$unseen" -lt 3 ]; then
          unseen=$((unseen + 1)) pause=5
        else
          rv_leave_for_later
        fi
        ;;
      3)
        # After two minutes without an answer the GPUs are released.
        silent=$((silent + 1))
        [ $((silent % 8)) -ne 0 ] || rv_leave_for_later
        ;;
    esac
  done
}
