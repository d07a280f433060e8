
# rv_spawn COMMAND…: starts it in the background, below a process that only waits for it and then says its exit code: what a
# shell with traps learns from its own wait is lost, or the signal's number, when a signal comes together with the end.
rv_spawn() {
  # A pipe without a name.
  exec {rv_pipe}<> <(:)
  (
    # Both have their default action in the command.
    trap : TERM USR1
    # A function of this script, or a word that the shell itself knows (exec, exit): in a process of its own, which it may end.
    case $(type -t "$1") in
      file | "") eval "\"\$@\" $rv_pipe>&-" ;;
      *) eval "(\"\$@\") $rv_pipe>&-" ;;
    esac
    echo "$?" >&"$rv_pipe"
  ) &
  rv_minder=$!
}

# rv_signal_command SIGNAL: to the command, once it is there.
rv_signal_command() {
  local pid pids tries
  for ((tries = 0; tries < 20; tries++)); do
    pids=$(grep -lE "^PPid:[[:space:]]*$rv_minder\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3)
    for pid in $pids; do kill -s "$1" "$pid" 2>/dev/null; done
    [ -z "$pids" ] && kill -0 "$rv_minder" 2>/dev/null || return 0
    sleep 0.1
  done
}

# rv_wait: until the command has ended; rv_code is its exit code.
rv_wait() {
  while :; do
    rv_woken=""
    wait "$rv_minder"
    [ -n "$rv_woken" ] || break
  done
  read -r -t 5 rv_code <&"$rv_pipe" || rv_code=137 # who waited for it was killed
  exec {rv_pipe}>&-
}
