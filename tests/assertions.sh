# What tests that run rv's commands say of them. Needs a folder $work.
# shellcheck shell=bash
: "${work:?a folder that the test owns}"

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

# equal WHAT EXPECTED ACTUAL
equal() { [ "$2" = "$3" ] || fail "$1: expected \"$2\", got \"$3\""; }

# contains WHAT PART TEXT
contains() { [[ "$3" == *"$2"* ]] || fail "$1: \"$2\" is not in: $3"; }

# exits CODE COMMAND…: runs it with stdout and stderr in $out and $err.
exits() {
  local expected=$1 code=0
  shift
  "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  out=$(<"$work/out") err=$(<"$work/err")
  [ "$code" -eq "$expected" ] || fail "$*: exit code $code instead of $expected; stdout: $out; stderr: $err"
}

# says WHAT EXPRESSION FILE: a Python expression over the JSON document d must be true.
says() {
  python3 -c 'import json, sys; d = json.load(open(sys.argv[2])); sys.exit(0 if eval(sys.argv[1]) else 1)' "$2" "$3" ||
    fail "$1: not true: $2"
}
