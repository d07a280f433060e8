
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

# rv_copies FOLDER JSON: whether the --output of a start with this exit entry is still being copied (outputs.inc.sh), or its job was
# ended before that.
rv_copies() {
  [[ $2 =~ \"copy\":\"([^\"]+)\" ]] || return 1
  set -- "$1/jobs/${BASH_REMATCH[1]}" "$1"/jobs/*
  [[ " ${*:2} " != *" $1.copied "* && " ${*:2} " != *" $1.copy_failed "* ]]
}

# The same for any element of an array.
rv_copies_elements() {
  local file kind more
  for file in "$1"/elements/[0-9]*; do
    read -r kind _ _ _ _ _ _ _ _ _ _ more <"$file" || continue
    [ "$kind" != exit ] || ! rv_copies "$1" "$more" || return 0
  done
  return 1
}

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
    if [ "$rv_exit" = "exited 0" ] && [ -z "$rv_outcome" ] && rv_copies "$rv_after_folder" "$rv_exit_more"; then
      echo copying
    elif [ "$rv_exit" = "exited 0" ] || [ "$rv_outcome" = "done" ]; then
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
  # A copy that was cut off changes nothing about the end.
  [ "$word" != copying ] || return 0
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

# rv_end_unstarted HOW: the run's end without a start; `unqueued` for the reason in rv_answer. 1: look at the ledger again.
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

# Back into the queue as another job, behind the predecessor's jobs or for ten minutes. An array does so once for all of its
# elements, by one of them. 1: it can't, for the reason in rv_answer.
rv_go_back() {
  local options=("--dependency=afterany$rv_after_jobs")
  [ -n "$rv_after_jobs" ] || options=(--dependency= --begin=now+10minutes)
  rv_answer=$(rv_sbatch ${options[@]+"${options[@]}"}) || return 1
  rv_answer=${rv_answer##*$'\n'}
  rv_event next ",\"next_job_id\":${rv_answer%%;*}"
  [ -n "${SLURM_ARRAY_JOB_ID:-}" ] || exit 0
  rv_enter postpone "${rv_answer%%;*}"
  [ "$?" -ne 1 ] || rv_enter postpone "${rv_answer%%;*}"
  scancel --state=PENDING --user="$UID" --name="$SLURM_JOB_NAME" "$rv_job"
  exit 0
}

# Where compute nodes may not submit: this very job goes back, which Slurm starts again after two minutes at the earliest. It
# ends this script within a moment; the dependency is for a start that would be too early. 1: Slurm does not allow that either.
rv_requeue_follower() {
  scontrol update jobid="$SLURM_JOB_ID" requeue=1 2>/dev/null
  rv_answer=$(timeout 60 scontrol requeue "$SLURM_JOB_ID" 2>&1) || return 1
  [ -z "$rv_after_jobs" ] || scontrol update jobid="$SLURM_JOB_ID" dependency="afterany$rv_after_jobs" 2>/dev/null
  exit 0
}

# Nobody answers at the moment: the whole cluster waits.
rv_is_outage() { [[ -z $1 || $1 =~ 'Socket timed out'|'Unable to contact'|'Zero Bytes' ]]; }

# Gives the GPUs back while the predecessor goes on. 1: not now; look again later.
rv_leave_for_later() {
  local refusal=$RV_RUN_DIR/jobs/$rv_job.no_submission
  if [ ! -e "$refusal" ]; then
    # The first element of an array sees to it, the others wait for its word. Where it says nothing for long it is gone. A second
    # array would end at the gate.
    if [ -n "${SLURM_ARRAY_JOB_ID:-}" ] && ! mkdir "$RV_RUN_DIR/jobs/$rv_job.postponing" 2>/dev/null; then
      rv_others=$((rv_others + 1))
      [ $((rv_others % 12)) -ne 0 ] || rmdir "$RV_RUN_DIR/jobs/$rv_job.postponing"
      return 1
    fi
    rv_go_back
    [ -z "${SLURM_ARRAY_JOB_ID:-}" ] || rmdir "$RV_RUN_DIR/jobs/$rv_job.postponing"
    ! rv_is_outage "$rv_answer" || return 1
    echo "$rv_answer" >"$refusal"
  fi
  rv_requeue_follower
  ! rv_is_outage "$rv_answer" || return 1
  read -r rv_answer <"$refusal"
  rv_end_unstarted unqueued
}

# A requeue was allowed only for the waiting.
rv_end_waiting() {
  [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ] || [ -n "$rv_may_restart" ] ||
    scontrol update jobid="$SLURM_JOB_ID" requeue=0 2>/dev/null
  return 0
}

# Goes on (0) when the predecessor's end allows it, ends the run when it forbids it, and else goes back into the queue: the
# jobs of its dependency need not have been the last ones (another candidate, a later segment). 1: look at
# the run's own ledger again.
rv_follow_predecessor() {
  local end pause=0 undecided=0 unseen=0 silent=0 rv_others=0 rv_answer=""
  while :; do
    sleep "$pause"
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
      0)
        rv_end_waiting
        return 0
        ;;
      1)
        [ -n "$rv_after_ok" ] || { rv_end_waiting && return 0; }
        rv_end_unstarted predecessor || return 1
        ;;
      2)
        # An attempt or a segment that is to be submitted mostly is within seconds: ten minutes would be lost by going back.
        if [ -z "$rv_after_jobs" ] && [ "$unseen" -lt 3 ]; then
          unseen=$((unseen + 1)) pause=5
        else
          rv_leave_for_later
        fi
        ;;
      3)
        # Two minutes without an answer: the GPUs are for others meanwhile.
        silent=$((silent + 1))
        [ $((silent % 8)) -ne 0 ] || rv_leave_for_later
        ;;
    esac
  done
}
