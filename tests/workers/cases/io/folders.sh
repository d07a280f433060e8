#!/usr/bin/env bash
# rv-io names folders that can't be measured, or are too small, full or read-only, and measures the others. Runs as root, for
# mounts.
# shellcheck disable=SC2016 # what expands in the inner shell is in single quotes
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

mkdir scratch
little=(--quick --size 8M --files 50)

exits 2 worker --folder scratch
has_line stderr 'write NAME=/FOLDER' "$err"
exits 2 worker --suite storage
exits 2 worker --size 5 --folder "scratch=$work/scratch"
has_line stderr 'is not a size of at least 4M' "$err"
touch file
exits 3 worker "${little[@]}" --suite storage --folder "none=$work/none" --folder "file=$work/file" --folder "scratch=$work/scratch" --json
all_say report '[m["reason"].split("; ")[0].rsplit(" ", 3)[-3:] for m in d if m.get("name") == "none folder"] == [["does", "not", "exist"]]' out
all_say report '[m["verdict"] for m in d if m.get("name") == "file folder" and "is not a folder" in m["reason"]] == ["error"]' out
all_say report 'any(m.get("name") == "scratch write" and m["verdict"] == "pass" for m in d)' out
nothing_left scratch
# on_mount OPTIONS ARGUMENTS…: with its own tmpfs at small/; what is left there is in the file left.
mkdir small
on_mount() {
  unshare --mount --propagation private bash -c '
    mount -t tmpfs -o "$1" none small || exit 99
    [ "$1" != "${1#*ro}" ] && mount -o remount,ro small
    shift
    "$@"
    code=$?
    find small -mindepth 1 >left
    exit "$code"' mounted "$1" "$RV" --json --suite storage --folder "small=$work/small" "${@:2}"
}
exits 3 on_mount size=6M "${little[@]}"
all_say report '"6M free" in d[0]["reason"] and "--io-size" in d[0]["reason"]' out
exits 3 on_mount size=60M,nr_inodes=30 "${little[@]}"
all_say report '"more files" in d[0]["reason"]' out
exits 3 on_mount size=60M,ro "${little[@]}"
all_say report '"read-only" in d[0]["reason"]' out
# Full on the way: two ranks at once need what one of them would find.
exits 3 on_mount size=12M "${little[@]}" --local-ranks 2
all_say report 'any("No space left" in m.get("reason", "") for m in d) and any(m.get("name") == "small write" for m in d)' out
equal "what a full file system keeps" "" "$(<left)"
