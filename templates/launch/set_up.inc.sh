
# --- the command's own shell -------------------------------------------------------------------------------------------
#
# The set-up lines and the command run in a process of their own. No option, IFS, trap, alias, function, descriptor, `exit` or
# `exec` of the lines reaches the protocol. Their environment, umask, limits and working folder reach the command.

rv_setup_lines={{setup}}

# In a function of its own: `return`, `set --` and `local` in the lines stay here.
rv_run_setup_lines() { eval "$rv_setup_lines"; }

rv_setup() {
  cd "$rv_work_folder" 2>/dev/null || {
    echo "rv: the working folder $rv_work_folder can't be entered on $rv_node; check that it is on a shared file system" >&2
    return 1
  }
{{?user_secrets}}  rv_read_user_secrets || return 1
  # Site scripts read variables that are not set.
  set +u
  rv_run_setup_lines
}

# Undoes what the lines did to the shell itself. `builtin` passes by functions that they defined. A `set -n` can't be undone:
# then this shell ends, and its set-up has failed.
rv_reset_shell() {
  builtin set +aefkuvxCET
  builtin shopt -u failglob nullglob nocasematch extdebug execfail
  builtin trap - EXIT DEBUG ERR RETURN HUP INT QUIT PIPE TERM USR1 USR2
}

# rv_finish_setup: after rv_setup, whose exit code is $1.
rv_finish_setup() {
  rv_reset_shell
  [[ $1 -eq 0 ]] || return 1
{{?project_active}}  rv_activate || return 1
{{?variables}}  # After the lines, so that the user's own value stays.
{{?variables}}  builtin export {{words:variables}}
}

# rv_become_command ASK ANSWER COMMAND…: in a process of its own. When the lines have succeeded it writes "ready PID" to the
# script's pipe ASK, and becomes the command when a line comes through ANSWER. Both are opened only then: a descriptor that was
# there before could have been closed or used by the lines.
rv_become_command() {
  trap - TERM USR1
  rv_setup # not in a condition: there a `set -e` of the lines would do nothing
  rv_finish_setup "$?" || builtin exit 1
  builtin printf 'ready %s\n' "$BASHPID" >"/proc/$$/fd/$1" || builtin exit 1
  # Without a line, whoever was to send it has ended.
  builtin read -r <"/proc/$$/fd/$2" || builtin exit 1
  builtin shift 2
{{?total}}  # With a dot, so that no mark is the prefix of another.
{{?total}}  # shellcheck disable=SC2034 # exported
{{?total}}  if [[ -n $rv_mark ]]; then builtin export RV_TREE="$RV_RUN_ID.$rv_mark."; fi
{{?stall_after}}  builtin export RV_WATCHED="$rv_watched"
  # The lines may define what the command calls (module), and the shell knows some words itself.
  case $(builtin type -t -- "$1") in
    file) builtin exec -- "$@" ;;
    *) "$@" ;;
  esac
  builtin exit
}
