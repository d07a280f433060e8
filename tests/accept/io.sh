#!/usr/bin/env bash
# rv accept --local --suite io on a machine without a GPU: it measures and writes a page, names folders that can't be measured,
# and leaves nothing after Ctrl-C. Runs as root, to mount its own file system.
# shellcheck source=tests/accept/lib.sh
source "$(dirname "$0")/lib.sh"

io() { "$RV" accept --local --suite io "$@"; }
nothing_left() { [ -z "$(find "$work" -name 'rv-io-*')" ] || fail "left behind: $(find "$work" -name 'rv-io-*')"; }

mkdir scratch
exits 0 io --io-size 8M --report-dir "$work/report"
contains verdict "pass: 1 node; passed: io" "$out"
report=$work/report/accept.json
says figures '{f["name"] for f in d["figures"] if "by" not in f["params"]} == {"scratch " + n for n in
  ("write", "read", "random read", "random read x16", "create", "list", "remove")}' "$report"
says "by fio, too" 'len([f for f in d["figures"] if f["params"].get("by") == "fio"]) == 4' "$report"
matches "beside fio" "compared with fio \(rv's figure / fio's\): scratch write [0-9.]+; scratch read [0-9.]+; scratch random read [0-9.]+; " "$out"
says order 'd["order"]["io"]["size"] == "8M" and len(d["order"]["io"]["folders"]) == 2' "$report"
says sizes '[f["params"]["bytes"] for f in d["figures"] if f["name"] == "scratch write"] == [8 << 20]' "$report"
grep -q 'scratch random read' "$work/report/accept.html" || fail "the page has no figures"
nothing_left
# The suite runs only if it is named, and needs no other worker.
exits 0 "$RV" accept --local --device cpu --dry-run
lacks "no io by itself" "rv-io" "$out"
mkdir only && ln -s "$(dirname "$RV")/../workers/rv-io" only/
exits 0 io --dry-run --worker-folder only --io-folder scratch --full
contains "the step" "step io: rv-io --local-ranks 1 --deadline 300 --folder folder=$work/scratch --size 1024M" "$out"

# A scratch folder that is not configured and that no job has needed yet is left out.
printf '{}\n' >"$RV_SITE"
(unset SCRATCH && exits 0 io --dry-run && contains "home alone" "--folder home=$RV_HOME --size" "$out" && lacks "no scratch" scratch= "$out")
printf 'scratch: %s/scratch\n' "$work" >"$RV_SITE"

# refused WORDS MESSAGE ADVICE: prints two lines, and starts nothing.
refused() {
  before=$(find "$RV_HOME" | sort)
  exits 2 io "${@:3}"
  contains "the error" "$1" "$err"
  contains "the way out" "$2" "$err"
  equal "lines" 2 "$(wc -l <<<"$err")"
  equal "left in home" "$before" "$(find "$RV_HOME" | sort)"
}
touch file
refused "does not exist" "create it, or choose another folder" --io-folder "$work/nowhere"
refused "is not a folder" "choose another folder: --io-folder" --io-folder file
refused "would be written" "reduce the size: --io-size 64M" --io-size 100T
refused 'expected at least 4M' "write it like" --io-size 2M
refused 'expected an amount of memory with its unit' "or --io-size 64M for MiB" --io-size 64
exits 2 "$RV" accept --local --suite compute --io-size 64M
contains "io is not asked for" "--io-size needs --suite io" "$err"
exits 2 "$RV" accept --local --suite oi
contains "a typo" 'did you mean "io"' "$err"
# on_mount CODE OPTIONS ro|rw [SIZE]: with a file system of these options at small/.
mkdir small
on_mount() {
  # shellcheck disable=SC2016 # of the inner shell
  exits "$1" unshare --mount --propagation private bash -c 'mount -t tmpfs -o "$1" none small || exit 99
    [[ $2 != ro ]] || mount -o remount,ro small
    "${@:3}"; code=$?; [ -z "$(ls small)" ] || exit 98; exit "$code"' on_mount "$2" "$3" "$RV" accept --local --suite io --io-folder small \
    --io-size "${4:-8M}"
}
on_mount 2 size=6M rw
contains "a full one" "has 6M free" "$err"
lacks "no more than was asked" "--io-size" "$err"
contains "the way out of it" "free some space there, or choose another folder: --io-folder DIR" "$err"
on_mount 2 size=14M rw 32M
contains "what would fit" "reduce the size: --io-size 8M" "$err"
on_mount 2 size=60M,nr_inodes=100 rw
contains "one without inodes" "more files" "$err"
on_mount 2 size=60M ro
contains "a read-only one" "is on a read-only file system" "$err"
on_mount 0 size=60M rw
nothing_left

# Ctrl-C on a terminal, and TERM: the worker takes everything away before rv ends. Ctrl-C more than once and again, since what
# comes while the first one is being answered must not end the wait for the worker (a fault that one in four would show).
at_work() { compgen -G "$work/scratch/rv-io-*" >/dev/null; }
for end in TERM:143 INT:130{,,,,,}; do
  # In its own group, as a terminal has it, and with an INT that is not ignored as it is in the background.
  setsid python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$RV" accept --local --suite io --full --io-size 4G >out.txt 2>err.txt &
  waiting=$!
  wait_for 20 at_work || fail "it did not begin"
  if [ "${end%:*}" = INT ]; then
    for _ in 1 2 3 4 5; do kill -INT -- "-$waiting"; done
  else
    kill -TERM "$waiting"
  fi
  code=0
  wait "$waiting" || code=$?
  equal "exit code after ${end%:*}" "${end#*:}" "$code"
  contains "what is said" "interrupted; rv accept --judge" "$(<err.txt)"
  nothing_left
done
