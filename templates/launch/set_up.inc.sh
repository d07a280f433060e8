
# --- the command's own shell -------------------------------------------------------------------------------------------
#
# The set-up lines and the command run in a separate process. Options, IFS, traps, aliases, functions, descriptors, `exit` and `exec` in the
# lines do not affect the protocol. Their environment, umask, limits and working folder apply to the command.

rv_setup_lines={{setup}}

# In a function, so that `return`, `set --` and `local` in the lines end here.
rv_run_setup_lines() { eval "$rv_setup_lines"; }

rv_setup() {
  cd "$rv_work_folder" 2>/dev/null || {
    echo "rv: the working folder $rv_work_folder can't be entered on $rv_node; check that it is on a shared file system" >&2
    return 1
  }
{{?user_secrets}}  rv_read_user_secrets || return 1
  # Scripts of sites read unset variables.
  set +u
  rv_run_setup_lines
}

# Undoes changes of the lines to the shell itself. `builtin` avoids functions that they defined. `set -n` can't be undone: this shell then
# ends, and the set-up has failed.
rv_reset_shell() {
  builtin set +aefkuvxCET
  builtin shopt -u failglob nullglob nocasematch extdebug execfail
  builtin trap - EXIT DEBUG ERR RETURN HUP INT QUIT PIPE TERM USR1 USR2
}

# rv_finish_setup CODE: completes the set-up after rv_setup, which returned CODE.
rv_finish_setup() {
  rv_reset_shell
  [[ $1 -eq 0 ]] || return 1
{{?project_active}}  rv_activate || return 1
{{?variables}}  # After the lines, so that the user's own values win.
{{?variables}}  builtin export {{words:variables}}
}

# rv_become_command READY BEGIN COMMAND…: runs in a separate process. After the lines have succeeded it writes "ready PID" to the script's
# pipe READY, and becomes the command when a line arrives through BEGIN. Both are opened only then: the lines could close or use
# descriptors that were open before.
rv_become_command() {
  trap - TERM USR1
  rv_setup # not in a condition: there a `set -e` of the lines would do nothing
  rv_finish_setup "$?" || builtin exit 1
  builtin printf 'ready %s\n' "$BASHPID" >"/proc/$$/fd/$1" || builtin exit 1
  # Without a line, the script has ended.
  builtin read -r <"/proc/$$/fd/$2" || builtin exit 1
  builtin shift 2
{{?total}}  # With a dot, so that no mark is the prefix of another.
{{?total}}  # shellcheck disable=SC2034 # exported
{{?total}}  if [[ -n $rv_mark ]]; then builtin export RV_TREE="$RV_RUN_ID.$rv_mark."; fi
{{?stall_after}}  builtin export RV_WATCHED="$rv_watched"
  # The command may be a function that the lines defined (module), or a builtin.
  case $(builtin type -t -- "$1") in
    file) builtin exec -- "$@" ;;
    *) "$@" ;;
  esac
  builtin exit
}
