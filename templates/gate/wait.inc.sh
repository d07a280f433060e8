
# --- the command's process ---------------------------------------------------------------------------------------------

# rv_spawn COMMAND…: starts the set-up lines and then the command in the background, below a process that only waits for it and
# reports its exit code: a shell with traps gets no exit code, or the signal's number, from its own wait when a signal comes
# together with the end. The command itself waits for rv_let_begin.
rv_spawn() {
  rv_command_pid=""
  # Anonymous pipes.
  exec {rv_pipe}<> <(:)
  exec {rv_begin_pipe}<> <(:)
  (
    eval "exec $rv_begin_pipe>&-"
    # bash reports on its stderr that a signal ended a process; the log is only for the command's output.
    exec {rv_log}>&2 2>/dev/null
    # Both have their default action in the command.
    trap : TERM USR1
    eval "(rv_become_command $rv_pipe $rv_begin_pipe \"\$@\") $rv_pipe>&- 2>&$rv_log $rv_log>&-"
    echo "$?" >&"$rv_pipe"
  ) &
  rv_minder=$!
}

# rv_read_pipe: appends to rv_line what the pipe delivers within a second. 0 once the line is complete. A process that was frozen between
# two bytes may read only a part of the line; IFS= keeps a blank at the end of that part.
rv_read_pipe() {
  local part="" code=0
  IFS= read -r -t 1 part <&"$rv_pipe" || code=$?
  rv_line+=$part
  return "$code"
}

# rv_await_setup: 0 if the set-up lines succeeded (rv_command_pid: the process that waits to become the command). 1 if they failed or
# were ended.
rv_await_setup() {
  rv_line=""
  # A trap runs between two reads: bash 4.2 does not interrupt a read for it.
  until rv_read_pipe; do
    kill -0 "$rv_minder" 2>/dev/null || { rv_read_pipe || break; }
  done
  if [[ $rv_line == "ready "* ]]; then
    # shellcheck disable=SC2034 # for segments
    rv_command_pid=${rv_line#ready }
    return 0
  fi
  rv_code=${rv_line:-137} # 137: the process that waited for it was killed
  exec {rv_pipe}>&- {rv_begin_pipe}>&-
  wait "$rv_minder"
  return 1
}

rv_let_begin() {
  echo begin >&"$rv_begin_pipe" # closed later: the process has yet to open it
}

# rv_signal_command SIGNAL: sends it to the command, as soon as the command exists.
rv_signal_command() {
  local pid pids tries
  for ((tries = 0; tries < 20; tries++)); do
    pids=$(grep -lE "^PPid:[[:space:]]*$rv_minder\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3)
    for pid in $pids; do kill -s "$1" "$pid" 2>/dev/null; done
    [ -z "$pids" ] && kill -0 "$rv_minder" 2>/dev/null || return 0
    sleep 0.1
  done
}

# rv_wait: waits until the command has ended and sets rv_code, its exit code.
rv_wait() {
  local tries
  while :; do
    rv_woken=""
    wait "$rv_minder"
    [ -n "$rv_woken" ] || break
  done
  rv_line="" rv_code=137 # the process that waited for it was killed
  for tries in 1 2 3 4 5; do
    ! rv_read_pipe || { rv_code=$rv_line && break; }
  done
  exec {rv_pipe}>&- {rv_begin_pipe}>&-
}
