{{include:exit_details.inc.sh}}

# --- the run's ledger ------------------------------------------------------------------------------------------------
#
# Each decision about the run is a numbered entry in ledger/, created once by link(2), never changed and never removed. A process
# decides by creating the next entry. If another process was faster, it reads that entry and applies the rules again. So all machines
# see the same decisions in the same order. docs/run-folder.md has the protocol; monitor/ledger/ledger.h implements it for clients.
#
# An entry: kind attempt candidate job restart word code node epoch token nodes [json]

rv_ledger=$RV_RUN_DIR/ledger/
rv_length=0
rv_add=rv_add_entry
rv_token=$SLURM_JOB_ID.$rv_node.$$.$RANDOM$RANDOM

# The state that results from all entries.
rv_present=1    # the current attempt
rv_claim=""     # "candidate job"
rv_start=""     # "job restart segment", the last one
rv_starter=""   # token of the process that wrote the start entry
rv_exit=""      # "how code", after that start
rv_exit_more="" # its JSON
rv_stop=""      # 1: rv stop was called
rv_outcome=""   # the final state
rv_postponed=" " # jobs that were submitted again as other jobs
rv_was_claimed="" # in any attempt
rv_on_start=:     # command called for each start entry
rv_fault=""     # why the run folder could not be read or written

# rv_ended_on_request "HOW CODE": whether a signal asked the command to end. This is not final if Slurm may start the job again.
rv_ended_on_request() { [ "${1%% *}" = terminated ] || [ "${1%% *}" = preempted ]; }

# Whether the command has ended for good. An end on request is not final if Slurm may start the job again.
rv_has_ended() {
  [ -n "$rv_exit" ] && { ! rv_ended_on_request "$rv_exit" || [ -z "$rv_may_restart" ] || [ -n "$rv_stop" ]; }
}

# Whether the run may still start the command: it was neither stopped nor recorded as over, and has not ended.
rv_is_open() { [ -z "$rv_stop$rv_outcome" ] && ! rv_has_ended; }

# Whether the current entry was written by the holder of the claim. In a chain, later segments can be other jobs.
rv_of_claimant() {
  [ "$attempt" = "$rv_present" ] && [ -n "$rv_claim" ] && [ "$candidate" = "${rv_claim% *}" ] &&
    { [ "$job" = "${rv_claim#* }" ] || [ -n "${rv_chain:-}" ]; }
}

# Applies an entry, whose fields are in the caller's variables (kind, attempt, candidate, job, restart, word, code, epoch, token,
# nodes). 1: unknown kind.
rv_add_entry() {
  case $kind in
    claim)
      [ "$attempt" = "$rv_present" ] && rv_is_open && [ -z "$rv_claim" ] && [[ $rv_postponed != *" $job "* ]] &&
        rv_claim="$candidate $job" rv_was_claimed=1
      ;;
    postpone)
      [ "$attempt" = "$rv_present" ] && rv_is_open && [ -z "$rv_claim" ] && rv_postponed+="$job "
      ;;
    start)
      if rv_of_claimant && rv_is_open && { [ -z "$rv_start" ] || [ -n "$rv_may_restart" ]; }; then
        rv_start="$job $restart $word" rv_starter=$token rv_exit=""
        $rv_on_start
      fi
      ;;
    exit)
      # shellcheck disable=SC2034 # read by a run that follows this one
      rv_of_claimant && ! rv_has_ended && { [ -n "$rv_start" ] || [ -z "$rv_stop$rv_outcome" ]; } &&
        { [ -z "$rv_start" ] || [ -n "${rv_chain:-}" ] || [ "$token" = "$rv_starter" ]; } &&
        rv_exit="$word $code" rv_exit_more=$more
      ;;
    stop)
      [ -z "$rv_stop$rv_outcome" ] && ! rv_has_ended && rv_stop=1
      ;;
    retry)
      if [ "$attempt" = $((rv_present + 1)) ] && [ -z "$rv_stop$rv_outcome" ]; then
        rv_present=$attempt rv_claim="" rv_start="" rv_exit="" rv_postponed=" "
      fi
      ;;
    outcome)
      [ -n "$rv_outcome" ] || rv_outcome=$word
      ;;
    *) return 1 ;;
  esac
  return 0
}

# Reads the new entries of the ledger. 1: an entry can't be read or is not understood, so its decision is unknown.
# A file is opened only after a fresh listing has shown it: network file systems cache for a while that a name does not exist.
rv_read_ledger() {
  local kind attempt candidate job restart word code epoch token nodes more listed
  set -- "$rv_ledger"[0-9]*
  listed=" $* "
  while [[ $listed == *" $rv_ledger$((rv_length + 1)) "* ]]; do
    # shellcheck disable=SC2034  # a chain reads them all
    if ! read -r kind attempt candidate job restart word code _ epoch token nodes more <"$rv_ledger$((rv_length + 1))" || ! $rv_add; then
      rv_fault="entry $((rv_length + 1)) is not readable"
      return 1
    fi
    rv_length=$((rv_length + 1))
    [ "$rv_length" != "${rv_entry_number:-}" ] || rv_entry_token=$token
  done
}

# rv_write_entry FILE KIND WORD CODE [JSON]: writes a file for the next entry and fsyncs it, because quotas and network file systems
# report some errors only then. 1: it failed. The blanks reserve space for an exit entry's JSON, which grows with the nodes.
rv_write_entry() {
  local now
  printf -v now '%(%s)T' -1
  rv_fault=$(printf "%-$((447 + 64 * RV_NNODES))s\n" "$2 $rv_attempt $RV_CANDIDATE $rv_job ${SLURM_RESTART_COUNT:-0} $3 $4 $rv_node $now $rv_token ${SLURM_JOB_NODELIST:--}${5:+ $5}" |
    LC_ALL=C dd of="$1" conv=notrunc,fsync 2>&1) || return 1
  rv_fault=""
}

# If the power fails right after the link, the name may be lost and the decision made again. So the folder is fsynced before a writer
# relies on the entry. The sync of RHEL 7 takes no files, and would write all of the machine's; it does not have -d.
rv_store_names() { # FOLDER
  sync -d "$1" 2>/dev/null && sync "$1" 2>/dev/null
  return 0
}

# rv_link_entry FILE: makes it the next entry. 0: done; 1: another process was faster; 2: the run folder can't be written.
# On a network file system a link can be reported as failed although it was made: the token in the entry decides, not the exit code.
rv_link_entry() {
  local rv_entry_number=$((rv_length + 1)) rv_entry_token="" answer tries
  answer=$(LC_ALL=C ln "$1" "$rv_ledger$rv_entry_number" 2>&1)
  for ((tries = 0; tries < 90; tries++)); do
    rv_read_ledger || return 2
    if [ "$rv_length" -ge "$rv_entry_number" ]; then
      # In a trap, a bare "return" would return the status from before the trap.
      [ "$rv_entry_token" = "$rv_token" ] || return 1
      rv_store_names "${rv_ledger%/*}"
      return 0
    fi
    rv_fault=${answer:-"the new entry is not visible"}
    [ -z "$answer" ] || [[ $answer == *exists* ]] || [ "$tries" -lt 3 ] || return 2
    sleep 1
  done
  return 2
}

# rv_enter KIND WORD: creates the next entry; returns as rv_link_entry does. Each entry is written to a new file: if `rm` fails, the old
# file remains, and it is the entry, so writing to it again would change a decision that others have read.
rv_written=0 # number of files so far
rv_enter() {
  local code mine
  rv_written=$((rv_written + 1))
  mine=${rv_ledger%/*}/.$rv_token.$BASHPID.$rv_written
  rv_write_entry "$mine" "$1" "$2" - || { rm -f "$mine"; return 2; }
  rv_link_entry "$mine"
  code=$?
  rm -f "$mine"
  return "$code"
}

# --- the rules ---------------------------------------------------------------------------------------------------------

# rv_is_overtaken "JOB RESTART …": whether this start is a later one of the same job. A node that seemed lost can return with a job
# that Slurm has started again meanwhile.
rv_is_overtaken() {
  local restart=${1#* }
  [ -n "$1" ] && [ "${1%% *}" = "$rv_job" ] && [ "${restart%% *}" -gt "${SLURM_RESTART_COUNT:-0}" ]
}

# Sets rv_verdict, what this job must do next: claim, pass, behind (read again), yield, stopped or over.
rv_at_gate() {
  if [ -n "$rv_outcome" ]; then
    rv_verdict=over
  elif [ "$rv_attempt" -gt "$rv_present" ]; then
    rv_verdict=behind # this view of the ledger is older than the job: an end in it belongs to an earlier attempt
  elif rv_has_ended; then
    rv_verdict=over
  elif [ -n "$rv_stop" ]; then
    rv_verdict=stopped
  elif [ "$rv_attempt" -lt "$rv_present" ] || [[ $rv_postponed == *" $rv_job "* ]]; then
    rv_verdict=yield
  elif [ -z "$rv_claim" ]; then
    rv_verdict=claim
  elif [ "${rv_claim% *}" = "$RV_CANDIDATE" ] && { [ "${rv_claim#* }" = "$rv_job" ] || [ -n "${rv_chain:-}" ]; } &&
    ! rv_is_overtaken "$rv_start"; then
    rv_verdict=pass
  else
    rv_verdict=yield
  fi
}

# The same before user code: start, or refused if the command has started before and may start only once. Slurm's count of restarts
# is not used: a controller that is restored with an older state starts a job again without counting it.
rv_at_start() {
  rv_at_gate
  case $rv_verdict in
    claim) rv_verdict=yield ;;
    pass)
      rv_verdict=start
      [ -z "$rv_start" ] || [ -n "$rv_may_restart" ] || rv_verdict=refused
      ;;
  esac
}

# Ends the job: without the ledger it is unknown whether it may start the command.
rv_no_records() {
  echo "rv: can't read or write the run folder $RV_RUN_DIR on $rv_node, so the command did not start${rv_fault:+: ${rv_fault%%$'\n'*}}" >&2
  exit 1
}

# rv_exit_unstarted: ends the job without a start of the command, because of rv_verdict.
rv_exit_unstarted() {
  rm -f "$rv_exit_file" "${rv_end_file:-$rv_exit_file}"
  case $rv_verdict in
    refused)
      rv_event refused_restart
      echo "rv: the command had started before this start and is not started again (--requeue allows it)" >&2
      exit 1
      ;;
    over) rv_event stood_back ",\"why\":\"the run is over\"" ;;
    stopped) rv_event stood_back ",\"why\":\"rv stop\"" ;;
    *) rv_event yielded ;;
  esac
  exit 0
}

# rv_decide RULE: reads the ledger and applies the rule. Waits while the view of the ledger is older than this job.
rv_decide() {
  local tries
  for ((tries = 0; tries < 90; tries++)); do
    rv_read_ledger || rv_no_records
    "$1"
    if [ "$rv_verdict" != behind ]; then
      rv_fault=""
      return 0
    fi
    rv_fault="its entries are older than this job"
    sleep 1
  done
  rv_no_records
}

# An array's element has a ledger of its own, besides the run's (element.inc.sh).
rv_start_ledger="" # prefix of the commands that use it
rv_start_rule=rv_at_start
rv_exit_file=$RV_RUN_DIR/ledger/.exit.$rv_token

# rv_begin SEGMENT: the last check before user code. From the start entry on, every process counts the command as started. The file
# for its exit entry is written before, so that it has space even if the disk fills up.
rv_begin() {
  [ -e "$rv_exit_file" ] || rv_write_entry "$rv_exit_file" exit - - || rv_no_records
  while :; do
    rv_decide "$rv_start_rule"
    [ "$rv_verdict" = start ] || rv_exit_unstarted
    $rv_start_ledger rv_enter start "$1"
    case $? in
      0) break ;;
      2) rv_no_records ;;
    esac
  done
  # An element's start is in its own ledger and a stop is in the run's, so the run's ledger is read again after the start. That view must
  # not be older than the start: creating a file makes the NFS client update the attributes of the folder, and list it again.
  [ -n "$rv_start_ledger" ] || return 0
  { : >"$rv_ledger.$rv_token"; } 2>/dev/null || rv_no_records
  rm -f "$rv_ledger.$rv_token"
  rv_decide rv_at_gate
  [ "$rv_verdict" = pass ] || rv_exit_unstarted
}

# Waits until the run folder can be reached: a mount can be missing for a while. The records are in this process, and the time limit ends
# the wait. 1: the mount has been there for ten minutes without the folder, so it was removed.
rv_await_folder() {
  local removed=0 pause=1
  until [ -d "$RV_RUN_DIR/ledger" ]; do
    if [ -d "${RV_RUN_DIR%/*}" ] && [ ! -e "$RV_RUN_DIR" ]; then removed=$((removed + pause)); fi
    [ "$removed" -lt 600 ] || return 1
    sleep "$pause"
    [ "$pause" -ge 15 ] || pause=$((pause + 2))
  done
}

# rv_record_exit CODE HOW: records the command's end. HOW is "exited", "terminated" (a TERM came first), "preempted", or "setup" (the
# set-up lines failed).
rv_record_exit() {
  local tries code details written=""
  rv_await_folder
  details=$(rv_exit_details "$2")
  for ((tries = 0; tries < 5; tries++)); do
    [ "$tries" -eq 0 ] || sleep 2
    rv_await_folder || break
    # Written only once: after that it may be an entry, although the link was reported as failed.
    [ -n "$written" ] || { rv_write_entry "$rv_exit_file" exit "$2" "$1" "$details" && written=1; } || continue
    $rv_start_ledger rv_read_ledger || continue
    # Another process may create the next entry first: a stop, an outcome.
    code=1
    while [ "$code" -eq 1 ]; do
      $rv_start_ledger rv_link_entry "$rv_exit_file"
      code=$?
    done
    [ "$code" -ne 0 ] || break
  done
  rm -f "$rv_exit_file"
{{?user_secrets}}  rv_forget_environment "$1/$2"
}
