# Assertions for tests that run programs. They need a folder $work. A failed assertion ends the test; where $goes_on is set, the
# test continues and reports all failures, and its EXIT trap takes the exit code from end_code. `fail` always ends the test.
# shellcheck shell=bash
: "${work:?a folder that the test owns}"
assertions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

wrong_file=$work/.wrong # a line for each assertion that did not hold, of subshells too

# wrong ARGUMENTS…: an assertion does not hold. Shows where, and what the last program said, if one of the words below ran it.
wrong() {
  local frame=1
  while [[ ${BASH_SOURCE[frame]-} == */assertions.sh ]]; do frame=$((frame + 1)); done
  echo "FAIL: $* (${BASH_SOURCE[frame]##*/}, line ${BASH_LINENO[frame - 1]})" | tee -a "$wrong_file" >&2
  [ ! -s "$work/out" ] || printf -- '--- stdout\n%s\n' "$(head -c 4000 "$work/out" | tr -d '\0')" >&2
  [ ! -s "$work/err" ] || printf -- '--- stderr\n%s\n' "$(head -c 4000 "$work/err" | tr -d '\0')" >&2
  [ -n "${goes_on:-}" ] || exit 1
}

# fail ARGUMENTS…: the same, and the test ends here.
fail() {
  wrong "$@"
  exit 1
}

# end_code CODE: with which a test ends whose last command ended with CODE.
end_code() { if [ "$1" -eq 0 ] && [ -s "$wrong_file" ]; then echo 1; else echo "$1"; fi; }

# A test whose time is up (tests/limited.sh) says where it was. The innermost line is not known in a trap.
ended_from_outside() {
  local frame
  echo "at: $1" >&2
  for ((frame = 2; frame < ${#FUNCNAME[@]}; frame++)); do
    echo "  called in line ${BASH_LINENO[frame - 1]} of ${BASH_SOURCE[frame]}" >&2
  done
  fail "ended from outside"
}
trap 'ended_from_outside "$BASH_COMMAND"' TERM

# Ports on which nobody listens, reserved until the test ends: one, or N.
free_port() { free_ports 1; }
free_ports() { python3 "$assertions/free_ports.py" "$1" $$; }

# equal WHAT EXPECTED ACTUAL
equal() { [ "$2" = "$3" ] || wrong "$1: expected \"$2\", got \"$3\""; }

# contains WHAT PART TEXT
contains() { [[ "$3" == *"$2"* ]] || wrong "$1: \"$2\" is not in: $3"; }

# lacks WHAT PART TEXT
lacks() { [[ "$3" != *"$2"* ]] || wrong "$1: \"$2\" is in: $3"; }

# matches WHAT REGEX TEXT: an extended regular expression, somewhere in the text.
matches() { [[ "$3" =~ $2 ]] || wrong "$1: nothing matches $2 in: $3"; }

# has_line WHAT REGEX TEXT: the same within one of its lines, whose beginning and end ^ and $ are.
has_line() { grep -qE -e "$2" <<<"$3" || wrong "$1: no line matches $2 in: $3"; }

# runs COMMAND…: stdout, stderr and exit code are in $out, $err and $code.
runs() {
  code=0
  "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  # What is not text is left out, which bash would say each time.
  # shellcheck disable=SC2034 # for the tests
  { out=$(<"$work/out") err=$(<"$work/err"); } 2>/dev/null
}

# exits CODE[,CODE…] COMMAND…: the same, and its exit code is one of these.
exits() {
  local expected=$1 code
  shift
  runs "$@"
  [[ ,$expected, == *,$code,* ]] || wrong "$*: exit code $code instead of $expected"
}

# with_input FILE COMMAND…: what "<FILE" is elsewhere; runs and exits give their command an empty stdin.
with_input() {
  local input=$1
  shift
  "$@" <"$input"
}

# on_terminal COMMAND…: on its own terminal; what it shows there. on_terminal.py can also type.
on_terminal() { python3 "$assertions/on_terminal.py" '[]' "$@"; }

# in_background COMMAND…: its output goes to $work/out and $work/err, where nothing of an earlier one is left to be taken
# for its own; its process is $!.
in_background() {
  : >"$work/out"
  : >"$work/err"
  "$@" >"$work/out" 2>"$work/err" </dev/null &
}

# says WHAT EXPRESSION FILE: a Python expression over the JSON document d must be true.
says() {
  local fault
  fault=$(python3 "$assertions/says.py" "$3" "$2") || wrong "$1: $fault"
}

# all_say WHAT EXPRESSION FILE: the same over the list d of the file's lines, a document each.
all_say() {
  local fault
  fault=$(python3 "$assertions/says.py" --lines "$3" "$2") || wrong "$1: $fault"
}

# wait_for SECONDS COMMAND…: until it succeeds; longer than that on a slow machine (patience).
wait_for() {
  local seconds=$1 until=$((SECONDS + $1)) looks=0 extended=""
  shift
  # A look is often several processes: what takes long is looked at less often.
  until "$@"; do
    if [ "$SECONDS" -ge "$until" ]; then
      [ -z "$extended" ] || return 1
      extended=1 until=$((until + $(patience $((seconds * 1000))) / 1000 - seconds))
      [ "$SECONDS" -lt "$until" ] || return 1
    fi
    looks=$((looks + 1))
    # Of this machine's time, in a test on a fast clock, too.
    LD_PRELOAD="" sleep "$((looks < 10 ? 1 : looks < 30 ? 4 : 10))e-1"
  done
}

# patience COST: in milliseconds, or whatever a program's time is counted in: what holds where a program starts in 2 ms, as on a
# quiet machine, and more where that takes longer at the moment.
patience() {
  local began=${EPOCHREALTIME/[.,]/} took
  for _ in {1..10}; do LD_PRELOAD="" /bin/true; done
  took=$((${EPOCHREALTIME/[.,]/} - began))
  echo $(($1 * (took > 20000 ? took : 20000) / 20000))
}

# with_environment NAME=VALUE ARGUMENTS…: those of the processes that pgrep finds which have that in their environment. Other tests
# may run beside this one.
with_environment() {
  local line=$1 pid
  shift
  for pid in $(pgrep "$@"); do
    ! tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | grep -qxF "$line" || echo "$pid"
  done
}

# drop_work CODE: a test that ends with 0 leaves nothing of $work. A last process of it may write there for a moment yet.
drop_work() {
  cd /
  [ "$1" -eq 0 ] || { echo "kept: $work" && return 0; } # in a trap a bare return has the code from before it
  for _ in {1..50}; do
    rm -rf "$work" 2>/dev/null && return 0
    sleep 0.1
  done
  rm -rf "$work"
}
