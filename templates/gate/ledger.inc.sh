{{include:exit_details.inc.sh}}

# --- the run's ledger ------------------------------------------------------------------------------------------------
#
# What is decided about the run is a numbered entry in ledger/, made once by link(2), never changed and never removed. To
# decide something is to make the next entry; who finds it taken reads on and asks the rules anew. So all machines see the
# same decisions in the same order. docs/run-folder.md has the protocol, monitor/ledger/ledger.h is its other side.
#
# An entry: kind attempt candidate job restart word code node epoch token nodes [json]

rv_ledger=$RV_RUN_DIR/ledger/
rv_length=0
rv_add=rv_add_entry
rv_token=$SLURM_JOB_ID.$rv_node.$$.$RANDOM$RANDOM

# What the entries say together.
rv_present=1    # the attempt
rv_claim=""     # "candidate job"
rv_start=""     # "job restart segment", the last one
rv_starter=""   # the token of the process that made it
rv_exit=""      # "how code", after that start
rv_exit_more="" # its JSON
rv_stop=""      # rv stop was here
rv_outcome=""   # its state
rv_postponed=" " # jobs that have gone back into the queue as others
rv_was_claimed="" # in whatever attempt
rv_on_start=:     # what else a start means
rv_trouble=""     # why the run folder could not be read or written

# Whether a command that ended this way had been asked to: not an end yet if Slurm may start it again.
rv_was_told() { [ "${1%% *}" = terminated ] || [ "${1%% *}" = preempted ]; }

# Whether the command has ended for good: an end that it was asked for is not one where Slurm may start the job again.
rv_has_ended() {
  [ -n "$rv_exit" ] && { ! rv_was_told "$rv_exit" || [ -z "$rv_may_restart" ] || [ -n "$rv_stop" ]; }
}

# Whether the run may still start the command: it was neither stopped nor recorded as over, and has not ended.
rv_is_open() { [ -z "$rv_stop$rv_outcome" ] && ! rv_has_ended; }

# Whether the entry at hand was written by the holder of the claim. In a chain, later segments can be jobs of their own.
rv_of_claimant() {
  [ "$attempt" = "$rv_present" ] && [ -n "$rv_claim" ] && [ "$candidate" = "${rv_claim% *}" ] &&
    { [ "$job" = "${rv_claim#* }" ] || [ -n "${rv_chain:-}" ]; }
}

# One more entry: kind, attempt, candidate, job, restart, word, code, epoch, token and nodes are the caller's. 1: not known.
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

# Reads on to the ledger's end. 1: an entry can't be read or is not understood, and what it says may decide.
# A name is opened only when a fresh listing has shown it: network file systems remember for a while that one was not there.
rv_read_ledger() {
  local kind attempt candidate job restart word code epoch token nodes more listed
  set -- "$rv_ledger"[0-9]*
  listed=" $* "
  while [[ $listed == *" $rv_ledger$((rv_length + 1)) "* ]]; do
    # shellcheck disable=SC2034  # a chain reads them all
    if ! read -r kind attempt candidate job restart word code _ epoch token nodes more <"$rv_ledger$((rv_length + 1))" || ! $rv_add; then
      rv_trouble="entry $((rv_length + 1)) is not readable"
      return 1
    fi
    rv_length=$((rv_length + 1))
    [ "$rv_length" != "${rv_place:-}" ] || rv_placed=$token
  done
}

# rv_write_entry FILE KIND WORD CODE [JSON]: an entry that is not in the ledger yet. It is on the disk, or the answer is 1: quotas
# and network file systems tell some errors only then. The blanks reserve room for an exit entry's JSON, which grows with the nodes.
rv_write_entry() {
  local now
  printf -v now '%(%s)T' -1
  rv_trouble=$(printf "%-$((447 + 64 * RV_NNODES))s\n" "$2 $rv_attempt $RV_CANDIDATE $rv_job ${SLURM_RESTART_COUNT:-0} $3 $4 $rv_node $now $rv_token ${SLURM_JOB_NODELIST:--}${5:+ $5}" |
    LC_ALL=C dd of="$1" conv=notrunc,fsync 2>&1) || return 1
  rv_trouble=""
}

# If the power fails right after the link, the name may be lost, and its decision be made again: the folder is synced
# before a writer relies on the entry. A sync without arguments for files (RHEL 7) would write all of the machine's
# files; it does not have -d.
rv_store_names() { # FOLDER
  sync -d "$1" 2>/dev/null && sync "$1" 2>/dev/null
  return 0
}

# rv_link_entry FILE: makes it the next entry. 0: done; 1: somebody was faster; 2: the run folder can't be written.
# Over a network a link that was made can be reported as failed: what the entry says decides, not the answer.
rv_link_entry() {
  local rv_place=$((rv_length + 1)) rv_placed="" answer tries
  answer=$(LC_ALL=C ln "$1" "$rv_ledger$rv_place" 2>&1)
  for ((tries = 0; tries < 90; tries++)); do
    rv_read_ledger || return 2
    if [ "$rv_length" -ge "$rv_place" ]; then
      # In a trap, a bare "return" would answer with what came before the trap.
      [ "$rv_placed" = "$rv_token" ] || return 1
      rv_store_names "${rv_ledger%/*}"
      return 0
    fi
    rv_trouble=${answer:-"the entry that was made does not show"}
    [ -z "$answer" ] || [[ $answer == *exists* ]] || [ "$tries" -lt 3 ] || return 2
    sleep 1
  done
  return 2
}

# rv_enter KIND WORD: decides. As rv_link_entry. Each entry is written to a file of its own: where `rm` fails, the file stays, and
# it is the entry, so writing to it again would change a decision that others have read.
rv_written=0 # files so far
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

# rv_is_overtaken "JOB RESTART …", a start: whether it is a later one of this job. A node that seemed lost can come back
# with a job that Slurm has started again meanwhile.
rv_is_overtaken() {
  local restart=${1#* }
  [ -n "$1" ] && [ "${1%% *}" = "$rv_job" ] && [ "${restart%% *}" -gt "${SLURM_RESTART_COUNT:-0}" ]
}

# rv_verdict: what this job has to do next. claim, pass, behind, yield, stopped or over.
rv_at_gate() {
  if [ -n "$rv_outcome" ]; then
    rv_verdict=over
  elif [ "$rv_attempt" -gt "$rv_present" ]; then
    rv_verdict=behind # this view of the ledger is older than the job: an end that it shows is an earlier attempt's
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

# The same before user code: start, or refused when it had started before and may not start twice. Slurm's own count of
# restarts is not asked: a controller that comes back with an older state starts a job again without counting.
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

# Ends the job: without the records nothing proves that it may start the command.
rv_no_records() {
  echo "rv: can't read or write the run folder $RV_RUN_DIR on $rv_node, so the command did not start${rv_trouble:+: ${rv_trouble%%$'\n'*}}" >&2
  exit 1
}

# Ends here, for the verdict's reason, before user code.
rv_step_back() {
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

# rv_decide RULE: reads the ledger and asks the rule. A view that is older than this job itself is waited for.
rv_decide() {
  local tries
  for ((tries = 0; tries < 90; tries++)); do
    rv_read_ledger || rv_no_records
    "$1"
    if [ "$rv_verdict" != behind ]; then
      rv_trouble=""
      return 0
    fi
    rv_trouble="its entries are older than this job"
    sleep 1
  done
  rv_no_records
}

# An array's element has a ledger of its own, besides the run's (element.inc.sh).
rv_start_ledger="" # the command that works on it
rv_start_rule=rv_at_start
rv_exit_file=$RV_RUN_DIR/ledger/.exit.$rv_token

# rv_begin SEGMENT: the last look before user code. From the start entry on, the command counts as begun, whoever looks. The
# file for the record of its end is made before, so that a disk that fills up meanwhile has room for it.
rv_begin() {
  [ -e "$rv_exit_file" ] || rv_write_entry "$rv_exit_file" exit - - || rv_no_records
  while :; do
    rv_decide "$rv_start_rule"
    [ "$rv_verdict" = start ] || rv_step_back
    $rv_start_ledger rv_enter start "$1"
    case $? in
      0) break ;;
      2) rv_no_records ;;
    esac
  done
  # An element's start is in its own ledger and a stop is in the run's: after its own mark it looks again for the other's.
  # That look must not be older than the mark. The server's reply to creating a file in a folder contains the folder's new attributes,
  # and lists it anew.
  [ -n "$rv_start_ledger" ] || return 0
  { : >"$rv_ledger.$rv_token"; } 2>/dev/null || rv_no_records
  rm -f "$rv_ledger.$rv_token"
  rv_decide rv_at_gate
  [ "$rv_verdict" = pass ] || rv_step_back
}

# Until the run folder can be reached: a mount can be away for a while. What is to be written is in this process, and the time limit
# ends the waiting. 1: its mount has been there for ten minutes without it, so it was removed.
rv_await_folder() {
  local removed=0 pause=1
  until [ -d "$RV_RUN_DIR/ledger" ]; do
    if [ -d "${RV_RUN_DIR%/*}" ] && [ ! -e "$RV_RUN_DIR" ]; then removed=$((removed + pause)); fi
    [ "$removed" -lt 600 ] || return 1
    sleep "$pause"
    [ "$pause" -ge 15 ] || pause=$((pause + 2))
  done
}

# rv_record_exit CODE HOW: the command's end. HOW is "exited", "terminated" when a TERM came first, "preempted", or "setup" where
# the set-up lines failed.
rv_record_exit() {
  local tries code details written=""
  rv_await_folder
  details=$(rv_exit_details "$2")
  for ((tries = 0; tries < 5; tries++)); do
    [ "$tries" -eq 0 ] || sleep 2
    rv_await_folder || break
    # Once: after that it may be an entry, although the link was reported as failed.
    [ -n "$written" ] || { rv_write_entry "$rv_exit_file" exit "$2" "$1" "$details" && written=1; } || continue
    $rv_start_ledger rv_read_ledger || continue
    # Somebody else may be at the next number, too: a stop, an outcome.
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
