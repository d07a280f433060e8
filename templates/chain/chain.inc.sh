
# --- a chain of segments ---------------------------------------------------------------------------------------------
#
# A segment's start is an entry of the ledger, so one start of one job owns it.
# chain/<n>.before  fingerprint of the checkpoint when the application was started
# chain/<n>.alive   epoch, every minute: when a segment that left no end was last at work
# chain/<n>.warn    the application is to save now        chain/<n>.warned   it was warned
# chain/<n>.end     "<code> <epoch> <reason> <progress 0|1>": made once, by link(2)
# chain/exclude     nodes that failed under the run, one a line

# shellcheck disable=SC2034  # read by the gate
rv_chain=1 rv_may_restart=1
rv_total={{total}}
rv_warning={{warning}}
rv_warn_signal={{warn_signal}}
rv_max_crashes={{max_crashes}}
rv_segment_length={{segment_length}}
rv_segment_least={{segment_least}} # the scheduler may have shortened it to that, to fit a gap
rv_exclude={{exclude_always}}
rv_script={{script}}
# From TERM to KILL, and from there to the end of the job, for the records and the next submission.
rv_kill_after=30
rv_margin=60
rv_beats=1
rv_failure=exited # how the run ends after too many crashes: `setup` when the last one was a failure of the set-up lines
rv_unfit=""       # a node has failed the preflight: this job starts nothing
chain=$RV_RUN_DIR/chain
rv_checkpoint=$RV_RUN_DIR/checkpoint
export RV_HEARTBEAT_FILE="$RV_RUN_DIR/heartbeat" RV_DONE_FILE="$RV_RUN_DIR/done"

# By segment: who began it, when and where.
rv_segment_job=() rv_segment_began=() rv_segment_nodes=()
rv_on_start=rv_note_segment
# For each start in the ledger, with the variables of its entry: `word` is the number of the segment.
rv_note_segment() { rv_segment_job[word]=$job rv_segment_began[word]=$epoch rv_segment_nodes[word]=$nodes; }

# Sets rv_now to the time of day, without a process: printf has %(FORMAT)T from bash 4.2 on.
rv_clock() { printf -v rv_now '%(%s)T' -1; }

# Another one whenever a file of the checkpoint folder, or the heartbeat, has changed.
rv_fingerprint() {
  find "$rv_checkpoint" "$RV_HEARTBEAT_FILE" -type f -printf '%p %s %T@\n' 2>/dev/null | sort | cksum | cut -d' ' -f1
}

# rv_progress: 1 when the application has saved something since it was started, else 0.
rv_measure_progress() {
  local before=""
  ! rv_listed "$chain/$rv_segment.before" || read -r before <"$chain/$rv_segment.before"
  rv_progress=0
  [ -z "$before" ] || [ "$(rv_fingerprint)" = "$before" ] || rv_progress=1
}

# rv_write FILE TEXT: whole or not at all.
rv_write() { printf '%s\n' "$2" >"$1.$SLURM_JOB_ID" && mv -f "$1.$SLURM_JOB_ID" "$1"; }

# What will be the record of a segment's end is made before the segment begins: a disk that fills up meanwhile has room for it.
# Each end has a file of its own: where `rm` fails, the file of the last one stays, and it is the record.
rv_end_files=0
rv_new_end_file() {
  [ ! -e "${rv_end_file:-}" ] || rm -f "$rv_end_file"
  rv_end_files=$((rv_end_files + 1))
  rv_end_file=$chain/.end.$rv_token.$rv_end_files
}
rv_new_end_file
rv_write_end_file() { printf '%-127s\n' "$1" | dd of="$rv_end_file" conv=notrunc,fsync 2>/dev/null; }

# rv_enter_end TEXT: makes it the segment's end. 1: it has another one; 2: the run folder can't be written.
rv_enter_end() {
  local end=$chain/$rv_segment.end said tries
  for ((tries = 0; tries < 5; tries++)); do
    [ "$tries" -eq 0 ] || sleep 2
    rv_await_folder || break
    rv_write_end_file "$1" || continue
    ln "$rv_end_file" "$end" 2>/dev/null
    { rv_listed "$end" && read -r said <"$end"; } || continue
    rv_store_names "$chain"
    rm -f "$rv_end_file"
    [ "$said" = "$1" ]
    return
  done
  return 2
}

# Whether the file is there, by a fresh listing of its folder.
rv_listed() {
  local name=$1
  set -- "${1%/*}"/*
  [[ " $* " == *" $name "* ]]
}

# rv_segment: the last one that began, 0 before the first.
rv_last_segment() {
  rv_segment=${rv_start##* }
  rv_segment=${rv_segment:-0}
}

# rv_used: seconds that segments have run, one that left no end until it was last at work; rv_fruitless: how many of the last
# ones failed in a row without progress.
rv_sum_up() {
  local n began ended reason progress _
  rv_used=0 rv_fruitless=0
  for ((n = 1; n <= rv_segment; n++)); do
    began=${rv_segment_began[$n]:-}
    [ -n "$began" ] || continue
    if ! rv_listed "$chain/$n.end"; then
      ! rv_listed "$chain/$n.alive" || ! read -r ended <"$chain/$n.alive" || [ "$ended" -lt "$began" ] ||
        rv_used=$((rv_used + ended - began))
      continue
    fi
    read -r _ ended reason progress <"$chain/$n.end" || continue
    [ "$ended" -lt "$began" ] || rv_used=$((rv_used + ended - began)) # nodes' clocks differ
    case $reason/$progress in
      crashed/0 | lost/0) rv_fruitless=$((rv_fruitless + 1)) ;;
      *) rv_fruitless=0 ;;
    esac
  done
}

# Whether a job of this chain has ended: 0 yes, 1 no. Asks until it gets an answer, for ten minutes at most; without one the
# job has not ended.
rv_job_is_over() {
  local answer tries state name
  for ((tries = 0; tries < 40; tries++)); do
    if answer=$(squeue -a -h -j "$1" -t all -o '%T %j' 2>&1); then
      read -r state name <<<"$answer"
      [ -z "$name" ] || [[ $name == *"@$RV_RUN_ID."* ]] || ! rv_is_another_job "$1" || return 0
      case $state in
        "") ;; # no word of it at all
        PENDING | RUNNING | SUSPENDED | CONFIGURING | STOPPED | SIGNALING | RESIZING | REQUEUED) return 1 ;;
        COMPLETING | STAGE_OUT) ;; # its processes are being ended: a moment yet
        *) return 0 ;;
      esac
    elif [[ $answer == *"Invalid job id"* ]]; then
      return 0
    fi
    sleep 15
  done
  return 1
}

# Whether Slurm has given the ID to a job that is not of this run: job IDs are recycled. A renamed job still has the run's
# folder in its record.
rv_is_another_job() {
  local record
  record=$(timeout 20 scontrol -o show job "$1" 2>/dev/null) && [[ $record != *"/$RV_RUN_ID/"* ]]
}

# Writes the end of a segment that could not: its node was lost, or it was killed.
rv_close_lost_segment() {
  local job=${rv_segment_job[$rv_segment]} nodes=${rv_segment_nodes[$rv_segment]} node
  local ended=${rv_segment_began[$rv_segment]}
  ! rv_listed "$chain/$rv_segment.alive" || read -r ended <"$chain/$rv_segment.alive"
  rv_measure_progress
  for node in $(scontrol show hostnames "$nodes" 2>/dev/null); do
    if scontrol -o show node "$node" 2>/dev/null | grep -qE ' State=[A-Z_+]*(DOWN|NOT_RESPONDING|FAIL|DRAIN|INVAL)'; then
      rv_exclude_node "$node"
    fi
  done
  rv_new_end_file
  rv_enter_end "- $ended lost $rv_progress"
  case $? in
    1) return 0 ;; # it has written its end meanwhile
    2) rv_no_records ;;
  esac
  rv_event segment_ended ",\"segment\":$rv_segment,\"reason\":\"lost\",\"lost_job_id\":$job"
}

# rv_exclude_node NODE: adds it, once, to the nodes that later segments avoid.
rv_exclude_node() { grep -qxF -- "$1" "$chain/exclude" 2>/dev/null || echo "$1" >>"$chain/exclude"; }

# rv_stand_back WHY: ends this job with exit code 0, because this segment or the next belongs to another start.
rv_stand_back() {
  rv_event stood_back ",\"why\":\"$1\""
  rm -f "$rv_exit_file" "$rv_end_file"
  exit 0
}

# A segment whose end says that all is done, of a job that was lost before it could record the run's end: there is no
# other segment.
rv_end_after_last_segment() {
  local code reason
  read -r code _ reason _ <"$chain/$rv_segment.end" || return 0
  case $reason in
    finished) rv_end_run 0 exited ;;
    cancelled) rv_end_run "$code" terminated ;;
    *) return 0 ;;
  esac
  exit 0
}

# The next segment is this job's, or the script ends here. Two jobs never have the same one: the ledger decides.
rv_begin_segment() {
  local job
  mkdir -p "$chain"
  [ -e "$rv_exit_file" ] || rv_write_entry "$rv_exit_file" exit - - || rv_no_records
  while :; do
    rv_decide rv_at_gate
    [ "$rv_verdict" = pass ] || rv_step_back
    rv_last_segment
    if [ "$rv_segment" -gt 0 ] && ! rv_listed "$chain/$rv_segment.end"; then
      job=${rv_segment_job[$rv_segment]}
      if [ "$job" != "$SLURM_JOB_ID" ]; then
        rv_job_is_over "$job" || rv_stand_back "job $job is still at segment $rv_segment"
      elif [[ $rv_start == "$job ${SLURM_RESTART_COUNT:-0} "* ]]; then
        # A controller with an older state starts a job again without counting: which of the two lives on is not known.
        # A counted start has Slurm's word that the former one is over.
        rv_stand_back "another start of this job is at segment $rv_segment"
      fi
      rv_close_lost_segment
    fi
    [ "$rv_segment" -eq 0 ] || rv_end_after_last_segment
    rv_sum_up
    if [ "$rv_fruitless" -ge "$rv_max_crashes" ]; then
      rv_end_run 1 exited
      exit 1
    fi
    rv_segment=$((rv_segment + 1))
    rv_new_end_file
    rv_write_end_file - || rv_no_records
    rv_enter start "$rv_segment"
    case $? in
      0) break ;;
      2) rv_no_records ;;
    esac
  done
  rv_set_deadlines
}

# Asks Slurm for the end of this job, which a suspension or an administrator can have moved. rv_moved: by how many seconds. 1: no
# answer.
rv_ask_end() {
  local ends
  rv_moved=0
  ends=$(SLURM_TIME_FORMAT=%s timeout 20 squeue -a -h -j "$SLURM_JOB_ID" -o %e 2>/dev/null)
  [[ $ends =~ ^[0-9]+$ ]] || return 1
  [ "$ends" -gt "$rv_job_ends" ] || return 0
  rv_moved=$((ends - rv_job_ends))
  rv_job_ends=$ends
}

# When to warn and when to end: before the job's own end, and before the time that was asked for is used up.
rv_set_deadlines() {
  local ends
  rv_clock
  if [ -z "${rv_job_ends:-}" ]; then
    ends=$(SLURM_TIME_FORMAT=%s timeout 20 squeue -a -h -j "$SLURM_JOB_ID" -o %e 2>/dev/null)
    # Without an answer: what Slurm said at the start of the job (newer releases do), else the least it can be.
    [[ $ends =~ ^[0-9]+$ ]] || ends=${SLURM_JOB_END_TIME:-0}
    [[ $ends =~ ^[0-9]+$ ]] && [ "$ends" -gt "$rv_now" ] || ends=$((rv_now + rv_segment_least))
    rv_job_ends=$ends
  fi
  rv_term_at=$((rv_job_ends - rv_margin))
  [ $((rv_now + rv_total - rv_used)) -ge "$rv_term_at" ] || rv_term_at=$((rv_now + rv_total - rv_used))
  rv_warn_at=$((rv_term_at - rv_warning))
  export RV_SEGMENT="$rv_segment" RV_SEGMENT_ENDS="$rv_term_at" RV_SEGMENT_JOB_ENDS="$rv_job_ends"
}

# --checkpoint-from: the state of another run, copied before the first start. A copy that was cut short is made anew.
rv_take_over_checkpoint() {
  [ -n "$rv_checkpoint_from" ] && [ ! -e "$chain/taken_over" ] || return 0
  rm -rf "${rv_checkpoint:?}"
  if ! mkdir -m 0700 "$rv_checkpoint" || ! cp -a --reflink=auto -- "$rv_checkpoint_from/." "$rv_checkpoint/"; then
    echo "rv: the checkpoint in $rv_checkpoint_from could not be copied" >&2
    return 1
  fi
  : >"$chain/taken_over"
}
