
# A later srun step calls `script.sh shell [COMMAND]` to enter this allocation with the same environment.
# rv_warn_of_end SHELL: prints warnings on the shell's terminal before the time limit ends it. The limit may change, so Slurm is queried
# every five minutes and before each warning.
rv_warn_of_end() {
  local at left next announced=999999999 ends now warned=""
  while kill -0 "$1" 2>/dev/null; do
    if [ "${rv_idle_stop:-0}" -gt 0 ]; then
      if ! read -r now left 2>/dev/null <"$RV_RUN_DIR/idle"; then
        warned=""
      elif [ "$now" != "$warned" ]; then
        warned=$now
        printf '\r\n\arv: the GPUs are idle and will be released in about %s (--idle-stop)\r\n' "$(rv_span "$left")" >/dev/tty
      fi
    fi
    ends=$(rv_job_ends) || { sleep 60 && continue; }
    printf -v now '%(%s)T' -1
    left=$((ends - now)) next=0
    for at in 30 60 300 600; do
      if [ "$left" -gt "$at" ]; then
        next=$at
      elif [ "$announced" -gt "$at" ]; then
        announced=$at
        printf '\r\n\arv: %s left until the time limit ends this shell\r\n' "$(rv_span "$left")" >/dev/tty
        break
      fi
    done
    left=$((left - next))
    [ "$left" -le 300 ] || left=300
    [ "${rv_idle_stop:-0}" -eq 0 ] || [ "$left" -le "$((rv_idle_stop / 10))" ] || left=$((rv_idle_stop / 10))
    [ "$left" -le 300 ] || left=300
    [ "$left" -ge 1 ] || left=5
    sleep "$left"
  done
}
rv_job_ends() {
  local ends
  ends=$(SLURM_TIME_FORMAT=%s timeout 60 squeue -a -h -j "$SLURM_JOB_ID" -o %e 2>/dev/null) && [[ $ends =~ ^[0-9]+$ ]] && echo "$ends"
}
rv_span() { if [ "$1" -ge 120 ]; then echo "$((($1 + 30) / 60))m"; else echo "${1}s"; fi; }

if [ "${1:-}" = shell ]; then
  shift
  rv_environment
  if [ $# -eq 0 ] && [ -t 0 ] && RV_JOB_ENDS=$(rv_job_ends); then
    export RV_JOB_ENDS
    rv_warn_of_end $$ </dev/null >/dev/null 2>&1 &
    # Printed before bash's prompt; the user's own prompt can use RV_JOB_ENDS (epoch seconds).
    export PROMPT_COMMAND='printf "[%dm left] " $(( (RV_JOB_ENDS - $(printf "%(%s)T" -1)) / 60 ))'"${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
  fi
  trap 'echo "rv: the set-up lines (setup in the settings) ended this shell" >&2' EXIT
  rv_setup
  rv_finish_setup "$?" || builtin cd / || exit
  # Appends rv's folder to PATH. A login shell sets PATH again, so bash appends it once more before its first prompt.
  if [ -n "${RV_PROGRAM:-}" ] && [ -x "$RV_PROGRAM" ]; then
    export PATH="$PATH:${RV_PROGRAM%/*}" RV_PROGRAM
    # shellcheck disable=SC2016 # expands in the shell that is entered
    PROMPT_COMMAND='case ":$PATH:" in *:"${RV_PROGRAM%/*}":*) ;; *) PATH=$PATH:${RV_PROGRAM%/*} ;; esac'"${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
    export PROMPT_COMMAND
  fi
  if [ $# -gt 0 ]; then builtin exec -- "$@"; fi
  set -- "${SHELL:-/bin/bash}" -l
{{?container_shell}}  set -- {{words:container_shell}}
{{?project_active}}  [ -z "${RV_ENVIRONMENT:-}" ] || rv_project_shell
  builtin exec -- "$@"
fi
