#!/usr/bin/env bash
# A call that can't work on the login node is refused on the laptop: nothing is sent, not even the project's files.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
host loop "$(user there)"
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
laptop git init -q net
laptop bash -c 'cd net && seq 3 >tasks'

# refuses MESSAGE ARGUMENTS…: stdin is a file here, which is what a pipe is to rv.
refuses() {
  local message=$1
  shift
  exits 2 with_input "$work/laptop/net/tasks" inside net "$work/rv" -H loop "$@"
  contains "$*" "$message" "$err"
  lacks "$*" "pushed" "$err"
  [ ! -e "$work/there/.rv" ] || fail "$*: something was sent"
}
refuses "rv map can't read tasks from stdin on a login node" map -g 1 -- echo '{}'
contains "the way out" "a file of the project, one per line: rv map -a FILE" "$err"
refuses "rv map can't read tasks from stdin on a login node" map -g 1 -a - -- echo '{}'
refuses "rv map can't read tasks from stdin on a login node" map -g 1 -a /dev/stdin -f -- echo '{}'
refuses "rv map can't read tasks from a pipe of this shell" map -g 1 -a /dev/fd/63 -- echo '{}'
refuses "the job can't read stdin" run -g 1 -
refuses "too long" map -g 1 -- echo ::: "$(head -c 100000 /dev/zero | tr '\0' x)"

# A port that another program has.
python3 - "$work/taken" <<'PY' &
import socket, sys, time
taken = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as note:
    note.write(str(taken.getsockname()[1]))
import os
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(100)
PY
holder=$!
wait_for 30 test -s "$work/taken" || fail "no port"
exits 2,125 inside net "$work/rv" -H loop up --open "$(<"$work/taken")" --run true
contains "a port in use" "$(<"$work/taken")" "$err"
lacks "a port in use" "pushed" "$err"
[ ! -e "$work/there/.rv" ] || fail "a port in use: something was sent"
kill "$holder"

# With values or a file the call reaches the login node, which has no Slurm here.
for source in "-a tasks -- echo" "-- echo ::: 1 2"; do
  # shellcheck disable=SC2086
  runs with_input "$work/laptop/net/tasks" inside net "$work/rv" -H loop map -g 1 $source
  contains "$source" "pushed" "$err"
done
