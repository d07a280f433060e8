
# --- a chain of segments ---------------------------------------------------------------------------------------------
#
# A segment's start is an entry of the ledger, so it belongs to one start of one job.
# chain/<n>.before  fingerprint of the checkpoint when the command was started
# chain/<n>.alive   epoch, written every minute: a segment without an end is charged up to this time
# chain/<n>.warn    the command must be warned            chain/<n>.warned   it was warned
# chain/<n>.end     "<code> <epoch> <reason> <progress 0|1>": created once, by link(2)
# chain/exclude     nodes that failed during the run, one per line

# shellcheck disable=SC2034  # read by the gate
rv_chain=1 rv_may_restart=1
rv_total={{total}}
rv_warning={{warning}}
rv_warn_signal={{warn_signal}}
rv_max_crashes={{max_crashes}}
rv_segment_length={{segment_length}}
rv_segment_least={{segment_least}} # the scheduler may have shortened the segment to this, to fit a gap
rv_exclude={{exclude_always}}
rv_script={{script}}
# From TERM to KILL, and from there to the end of the job, for the records and the next submission.
rv_kill_after=30
rv_margin=60
rv_beats=1
rv_failure=exited # how the run ends after too many crashes: `setup` if the last crash was a failure of the set-up lines
rv_unfit=""       # 1: a node failed the preflight, and this job starts nothing
chain=$RV_RUN_DIR/chain
rv_checkpoint=$RV_RUN_DIR/checkpoint
export RV_HEARTBEAT_FILE="$RV_RUN_DIR/heartbeat" RV_DONE_FILE="$RV_RUN_DIR/done"

# By segment: the job that started it, when and on which nodes.
rv_segment_job=() rv_segment_began=() rv_segment_nodes=()
rv_on_start=rv_note_segment
# Called for each start in the ledger, with the variables of its entry: `word` is the number of the segment.
rv_note_segment() { rv_segment_job[word]=$job rv_segment_began[word]=$epoch rv_segment_nodes[word]=$nodes; }

# Sets rv_now to the time of day, without a process: printf has %(FORMAT)T from bash 4.2 on.
rv_clock() { printf -v rv_now '%(%s)T' -1; }

# Prints a checksum that changes with every file of the checkpoint folder and with the heartbeat file.
rv_fingerprint() {
  find "$rv_checkpoint" "$RV_HEARTBEAT_FILE" -type f -printf '%p %s %T@\n' 2>/dev/null | sort | cksum | cut -d' ' -f1
}

# Sets rv_progress: 1 if the command has saved something since it was started, else 0.
rv_measure_progress() {
  local before=""
  ! rv_listed "$chain/$rv_segment.before" || read -r before <"$chain/$rv_segment.before"
  rv_progress=0
  [ -z "$before" ] || [ "$(rv_fingerprint)" = "$before" ] || rv_progress=1
}

# rv_write FILE TEXT: replaces the file atomically.
rv_write() { printf '%s\n' "$2" >"$1.$SLURM_JOB_ID" && mv -f "$1.$SLURM_JOB_ID" "$1"; }

# The file for the record of a segment's end is written before the segment begins, so that it has space even if the disk fills up. Each
# end has its own file: if `rm` fails, the file of the last end remains, and it is the record.
rv_end_files=0
rv_new_end_file() {
  [ ! -e "${rv_end_file:-}" ] || rm -f "$rv_end_file"
  rv_end_files=$((rv_end_files + 1))
  rv_end_file=$chain/.end.$rv_token.$rv_end_files
}
rv_new_end_file
rv_write_end_file() { printf '%-127s\n' "$1" | dd of="$rv_end_file" conv=notrunc,fsync 2>/dev/null; }

# rv_enter_end TEXT: records it as the segment's end. 1: the segment has another end; 2: the run folder can't be written.
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

# rv_listed FILE: whether the file exists, by a fresh listing of its folder.
rv_listed() {
  local name=$1
  set -- "${1%/*}"/*
  [[ " $* " == *" $name "* ]]
}

# Sets rv_segment: the last segment that started, 0 before the first.
rv_last_segment() {
  rv_segment=${rv_start##* }
  rv_segment=${rv_segment:-0}
}

# Sets rv_used, the seconds that all segments have run (a segment without an end: until it was last alive), and rv_fruitless, the number of
# consecutive segments without progress that failed last.
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

# rv_job_is_over JOB: whether a job of this chain has ended: 0 yes, 1 no. Retries for up to ten minutes; without an answer the job counts
# as not ended.
rv_job_is_over() {
  local answer tries state name
  for ((tries = 0; tries < 40; tries++)); do
    if answer=$(squeue -a -h -j "$1" -t all -o '%T %j' 2>&1); then
      read -r state name <<<"$answer"
      [ -z "$name" ] || [[ $name == *"@$RV_RUN_ID."* ]] || ! rv_is_another_job "$1" || return 0
      case $state in
        "") ;; # not in the queue
        PENDING | RUNNING | SUSPENDED | CONFIGURING | STOPPED | SIGNALING | RESIZING | REQUEUED) return 1 ;;
        COMPLETING | STAGE_OUT) ;; # its processes are being ended: wait
        *) return 0 ;;
      esac
    elif [[ $answer == *"Invalid job id"* ]]; then
      return 0
    fi
    sleep 15
  done
  return 1
}

# rv_is_another_job JOB: whether the ID now belongs to a job of another run, because Slurm reuses IDs. A renamed job still has the run's
# folder in its record.
rv_is_another_job() {
  local record
  record=$(timeout 20 scontrol -o show job "$1" 2>/dev/null) && [[ $record != *"/$RV_RUN_ID/"* ]]
}

# Writes the end of a segment that could not write it itself: its node was lost, or it was killed.
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
    1) return 0 ;; # the segment has written its end meanwhile
    2) rv_no_records ;;
  esac
  rv_event segment_ended ",\"segment\":$rv_segment,\"reason\":\"lost\",\"lost_job_id\":$job"
}

# rv_exclude_node NODE: adds it, once, to the nodes that later segments avoid.
rv_exclude_node() { grep -qxF -- "$1" "$chain/exclude" 2>/dev/null || echo "$1" >>"$chain/exclude"; }

# rv_leave_segment WHY: ends this job with exit code 0, because this segment or the next belongs to another start.
rv_leave_segment() {
  rv_event stood_back ",\"why\":\"$1\""
  rm -f "$rv_exit_file" "$rv_end_file"
  exit 0
}

# Ends the run if the last segment finished it, and its job was lost before it could record the run's end.
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

# Starts the next segment in this job, or ends the script. Two jobs never start the same segment: the ledger decides.
rv_begin_segment() {
  local job
  mkdir -p "$chain"
  [ -e "$rv_exit_file" ] || rv_write_entry "$rv_exit_file" exit - - || rv_no_records
  while :; do
    rv_decide rv_at_gate
    [ "$rv_verdict" = pass ] || rv_exit_unstarted
    rv_last_segment
    if [ "$rv_segment" -gt 0 ] && ! rv_listed "$chain/$rv_segment.end"; then
      job=${rv_segment_job[$rv_segment]}
      if [ "$job" != "$SLURM_JOB_ID" ]; then
        rv_job_is_over "$job" || rv_leave_segment "job $job is still at segment $rv_segment"
      elif [[ $rv_start == "$job ${SLURM_RESTART_COUNT:-0} "* ]]; then
        # A controller with an older state starts a job again without counting it, so either start may still run. For a counted start,
        # Slurm has reported that the earlier start is over.
        rv_leave_segment "another start of this job is at segment $rv_segment"
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

# Queries the end of this job, which a suspension or an administrator may have moved, and sets rv_moved, by how many seconds. 1: no
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

# Sets the times of the warning and of TERM: before the job's end, and before the requested total time is used up.
rv_set_deadlines() {
  local ends
  rv_clock
  if [ -z "${rv_job_ends:-}" ]; then
    ends=$(SLURM_TIME_FORMAT=%s timeout 20 squeue -a -h -j "$SLURM_JOB_ID" -o %e 2>/dev/null)
    # Without an answer: the end that newer releases put into the job's environment, else the earliest possible end.
    [[ $ends =~ ^[0-9]+$ ]] || ends=${SLURM_JOB_END_TIME:-0}
    [[ $ends =~ ^[0-9]+$ ]] && [ "$ends" -gt "$rv_now" ] || ends=$((rv_now + rv_segment_least))
    rv_job_ends=$ends
  fi
  rv_term_at=$((rv_job_ends - rv_margin))
  [ $((rv_now + rv_total - rv_used)) -ge "$rv_term_at" ] || rv_term_at=$((rv_now + rv_total - rv_used))
  rv_warn_at=$((rv_term_at - rv_warning))
  export RV_SEGMENT="$rv_segment" RV_SEGMENT_ENDS="$rv_term_at" RV_SEGMENT_JOB_ENDS="$rv_job_ends"
}

# --checkpoint-from: copies the state of another run before the first start. An interrupted copy is repeated.
rv_take_over_checkpoint() {
  [ -n "$rv_checkpoint_from" ] && [ ! -e "$chain/taken_over" ] || return 0
  rm -rf "${rv_checkpoint:?}"
  if ! mkdir -m 0700 "$rv_checkpoint" || ! cp -a --reflink=auto -- "$rv_checkpoint_from/." "$rv_checkpoint/"; then
    echo "rv: the checkpoint in $rv_checkpoint_from could not be copied" >&2
    return 1
  fi
  : >"$chain/taken_over"
}
