
# --- notifications ----------------------------------------------------------------------------------------------------

# Each target is a folder with the files kind, to, on and optionally as and ca; all 0600 in a 0700 folder. They are read only when a
# message is sent, so neither the script nor the environment has an address or the secret.
rv_notify_folder={{notify_folder}}
rv_notify_on={{notify_on}}
rv_resubmits={{resubmits}} # another attempt can follow a failure
rv_timeout_retries={{timeout_retries}} # number of times that another attempt follows a time limit
rv_notifying=()
rv_end_pending="" # 1: the job has ended, and it is unknown yet whether the run has ended with it
rv_end_more=""

# rv_hmac HEXKEY: prints the HMAC-SHA256 (RFC 2104) of stdin in hex. Computed here because openssl takes the key as an argument, which
# every user of the node can read (ps); a shell function's arguments are not visible.
rv_hmac() {
  local inner='' outer='' hash i byte
  for ((i = 0; i < 128; i += 2)); do
    byte=0
    [ "$i" -ge "${#1}" ] || byte=$((16#${1:i:2}))
    printf -v inner '%s\\x%02x' "$inner" $((byte ^ 0x36))
    printf -v outer '%s\\x%02x' "$outer" $((byte ^ 0x5c))
  done
  hash=$({ printf '%b' "$inner" && cat; } | sha256sum)
  for ((i = 0; i < 64; i += 2)); do outer+="\\x${hash:i:2}"; done
  hash=$(printf '%b' "$outer" | sha256sum)
  printf '%s' "${hash%% *}"
}

# rv_send_by_KIND TARGET_FOLDER TO EVENT BODY TEXT: sends one message; a function for each kind of target of rv notify
# (cli/setup/notify_targets.cpp). It prints why it failed.

# Prints a "key = value" line of curl's configuration.
rv_curl_line() {
  local value=${2//\\/\\\\}
  printf '%s = "%s"\n' "$1" "${value//\"/\\\"}"
}

# rv_webhook_body SERVICE EVENT BODY TEXT: prints the body that the service expects (sources: docs/notify.md). TEXT has no characters that
# JSON or a service would interpret (rv_notify_text).
rv_webhook_body() {
  case $1 in
    slack) printf '{"text":"%s"}' "$4" ;;
    discord) printf '{"content":"%s","allowed_mentions":{"parse":[]}}' "$4" ;;
    teams)
      printf '{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive","content":{'
      printf '"%sschema":"http://adaptivecards.io/schemas/adaptive-card.json","type":"AdaptiveCard","version":"1.2",' '$'
      printf '"body":[{"type":"TextBlock","text":"%s","wrap":true}]}}]}' "$4"
      ;;
    ntfy) printf '%s' "$4" ;;
    *) printf '%s' "$3" ;;
  esac
}

# curl reads its configuration from a pipe: its arguments show neither the address nor the signature.
rv_send_by_webhook() {
  local secret service='' body type=application/json
  [ ! -r "$1/as" ] || service=$(<"$1/as")
  [ "$service" != ntfy ] || type=text/plain
  body=$(rv_webhook_body "$service" "$3" "$4" "$5")
  command -v curl >/dev/null || { echo "this node has no curl" && return 1; }
  secret=$(cat "$rv_notify_folder/secret") 2>/dev/null
  if [ "${#secret}" -ne 64 ]; then
    echo "can't read the secret"
    return 1
  fi
  {
    rv_curl_line url "$2"
    rv_curl_line header "Content-Type: $type"
    rv_curl_line header "X-Rv-Event: $3"
    rv_curl_line header "X-Rv-Signature: sha256=$(printf '%s' "$body" | rv_hmac "$secret")"
    [ "$service" != ntfy ] || rv_curl_line header "Title: rv: $3"
    rv_curl_line data-binary "$body"
    [ ! -r "$1/ca" ] || rv_curl_line cacert "$(<"$1/ca")"
    printf '%s\n' 'proto = "=https"' 'output = "/dev/null"' fail silent show-error 'connect-timeout = 5' \
      'max-time = 5' 'retry = 1'
  } | curl -q --config - 2>&1
}

rv_send_by_mail() {
  local mailer
  for mailer in sendmail /usr/sbin/sendmail /usr/lib/sendmail; do
    command -v "$mailer" >/dev/null || continue
    printf 'To: %s\nSubject: rv: %s %s\n\n%s\n' "$2" "${SLURM_JOB_NAME%@*}" "$3" "$4" |
      timeout -s KILL 15 "$mailer" -oi -t 2>&1
    return
  done
  command -v mail >/dev/null || { echo "this node has neither sendmail nor mail" && return 1; }
  timeout -s KILL 15 mail -s "rv: ${SLURM_JOB_NAME%@*} $3" "$2" <<<"$4" 2>&1
}

rv_send_by_command() { RV_EVENT=$3 timeout -s KILL 15 bash -c "$2" <<<"$4" 2>&1; }

# rv_notify_text EVENT MORE: the event as a sentence, without what JSON, HTML or a chat would interpret.
rv_notify_text() {
  local code='' segment='' silent='' elements='' failed='' text
  case $2 in *'"exit_code":'*) code=${2##*'"exit_code":'} && code=${code%%[!0-9]*} ;; esac
  case $2 in *'"segment":'*) segment=${2##*'"segment":'} && segment=${segment%%[!0-9]*} ;; esac
  case $2 in *'"silent_s":'*) silent=${2##*'"silent_s":'} && silent=${silent%%[!0-9]*} ;; esac
  case $2 in *'"elements":'*) elements=${2##*'"elements":'} && elements=${elements%%[!0-9]*} ;; esac
  case $2 in *'"failed":'*) failed=${2##*'"failed":'} && failed=${failed%%[!0-9]*} ;; esac
  case $1/$code in
    started/*) text="started" ;;
    segment/) text="ended segment $segment without an exit code" ;;
    segment/*) text="ended segment $segment with exit code $code" ;;
    stalled/*) text="has made no progress for $silent s" ;;
    ended/0) text="completed" ;;
    ended/?*) if [ -n "$elements" ]; then text="failed in $failed of $elements elements"; else text="failed with exit code $code"; fi ;;
    *) text=$1 ;;
  esac
  text="${SLURM_JOB_NAME%@*} (run $RV_RUN_ID) $text on $rv_node (job $SLURM_JOB_ID)"
  text=${text//[^[:print:]]/ }
  text=${text//[\"\\&<>@]/}
  printf '%s' "$text"
}

# rv_notify_one FOLDER EVENT BODY TEXT: the result is only an event of the run.
rv_notify_one() {
  local kind to why code name=${1##*/}
  kind=$(<"$1/kind") && to=$(<"$1/to") || return
  declare -F "rv_send_by_$kind" >/dev/null || return
  if why=$("rv_send_by_$kind" "$1" "$to" "$2" "$3" "$4"); then
    rv_event notified ",\"target\":\"$name\",\"of\":\"$2\""
  else
    code=$?
    [ "$code" -ne 137 ] || why="no end within 15 s"
    why=${why:-exit code $code}
    why=${why//[^[:print:]]/ }
    why=${why//[\"\\]/}
    rv_event notify_failed ",\"target\":\"$name\",\"of\":\"$2\",\"why\":\"${why:0:200}\""
  fi
}

# rv_notify EVENT MORE: in the background, bounded in time. MORE is a piece of JSON that begins with a comma.
rv_notify() {
  local target on body text
  printf -v body '{"event":"%s","run":"%s","name":"%s","time":%(%s)T,"candidate":%s,"job_id":%s,"node":"%s"%s}' \
    "$1" "$RV_RUN_ID" "${SLURM_JOB_NAME%@*}" -1 "$RV_CANDIDATE" "$SLURM_JOB_ID" "$rv_node" "$2"
  text=$(rv_notify_text "$1" "$2")
  for target in "$rv_notify_folder"/targets/*; do
    on=$(cat "$target/on" 2>/dev/null) || continue
    case ",${rv_notify_on:-$on}," in *",$1,"*) ;; *) continue ;; esac
    (trap '' TERM && rv_notify_one "$target" "$1" "$body" "$text") </dev/null >/dev/null 2>&1 &
    rv_notifying+=("$!")
  done
}

# Whether a TERM ended only this start: Slurm puts the job back into the queue, or a client retries it.
# shellcheck disable=SC2154 # rv_attempt is of the ledger (ledger.inc.sh)
rv_starts_again() {
  case ${rv_finish_how:-} in
    preempted) [ -n "$rv_may_restart" ] ;;
    terminated)
      case $(rv_job_state) in
        PENDING | REQUEUED | REQUEUE_HOLD | SPECIAL_EXIT | PREEMPTED | NODE_FAIL) [ -n "$rv_may_restart" ] ;;
        TIMEOUT) [ "$rv_attempt" -le "$rv_timeout_retries" ] ;;
        *) return 1 ;;
      esac
      ;;
    *) return 1 ;;
  esac
}

# Whether an element of this array besides the script's own is in the queue, as after a requeue. If squeue does not answer: yes.
rv_others_remain() {
  local elements
  elements=$(timeout 20 squeue -a -h -r -j "$SLURM_ARRAY_JOB_ID" -t PENDING,RUNNING,SUSPENDED,CONFIGURING,REQUEUED,REQUEUE_HOLD -o %K 2>/dev/null) || return 0
  grep -qvxF "$SLURM_ARRAY_TASK_ID" <<<"$elements"
}

# The end of the run: not that of an element before the last one, nor of an attempt or start that another one follows.
rv_notify_end() {
  local more=$rv_end_more bad ended
  [ -n "$rv_end_pending" ] || return 0
  rv_end_pending=""
  ! rv_starts_again || return 0
  if [ -n "${rv_elements:-}" ]; then
    read -r bad ended < <(rv_count_elements "$RV_RUN_DIR")
    [ "$ended" -ge "$rv_elements" ] || return 0
    [ "$bad" -eq 0 ] || [ -z "$rv_may_restart" ] || ! rv_others_remain || return 0
    more=",\"exit_code\":$((bad > 0)),\"elements\":$ended,\"failed\":$bad"
  fi
  if [ -n "$rv_resubmits" ] && [[ $more != *'"exit_code":0'* ]]; then
    # Where the ledger can't be read, a message too many is better than none.
    # shellcheck disable=SC2154 # of the ledger (ledger.inc.sh)
    ! rv_read_ledger || [ "$rv_present" -eq "$rv_attempt" ] || return 0
  fi
  if [ -n "${rv_elements:-}" ]; then
    (set -o noclobber && : >"$RV_RUN_DIR/jobs/end.$rv_attempt.notified") 2>/dev/null || return 0
  fi
  rv_notify ended "$more"
}

# Called for each event of the job. A run starts once, however many segments or restarts it has.
rv_notify_event() {
  case $1 in
    started | ready)
      (set -o noclobber && : >"$RV_RUN_DIR/jobs/start.notified") 2>/dev/null || return 0
      rv_notify started "$2"
      ;;
    segment_ended) rv_notify segment "$2" ;;
    stalled) rv_notify stalled "$2" ;;
    ended)
      rv_end_pending=1 rv_end_more=$2
      # Otherwise when the script ends: by then the job has seen to the next attempt (rv_retry).
      if [ -z "$rv_resubmits" ] || [[ $2 == *'"exit_code":0'* ]]; then rv_notify_end; fi
      ;;
  esac
}

# Notifications still being sent when the job ends get a little time: its records are written by then.
rv_notify_finish() {
  local id until
  rv_notify_end
  until=$((SECONDS + 20))
  for id in ${rv_notifying[@]+"${rv_notifying[@]}"}; do
    while kill -0 "$id" 2>/dev/null && [ "$SECONDS" -lt "$until" ]; do sleep 0.1; done
  done
}
trap rv_notify_finish EXIT
