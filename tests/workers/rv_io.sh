#!/usr/bin/env bash
# rv-io on this machine: every suite, folders that can't be measured, signals, and a file system that really lags.
# usage: rv_io.sh WORKER cuda|cpu-only; as root, for mounts of its own
# shellcheck disable=SC2016 # what expands in the inner shell stands in single quotes
set -u
worker=$(realpath "${1:?the rv-io binary}")
build=${2:?cuda or cpu-only}
# shellcheck source=tests/workers/worker_case.sh
. "$(dirname "$(realpath "$0")")/worker_case.sh"
mkdir scratch home
nothing_left() { [ -z "$(find "$@" -mindepth 1)" ] || fail "left behind: $(find "$@" -mindepth 1)"; }
little=(--quick --size 8M --files 50)

# Two ranks: each alone, both at once, what one sees of the other, and TCP between them.
run 0 "${little[@]}" --local-ranks 2 --folder "scratch=$work/scratch" --folder "home=$work/home" --rounds 2 --json --report-dir reports
nothing_left scratch home
cmp -s out reports/rv-io.*.jsonl || fail "the report file differs from stdout"
json out 'd[0]["folders"][1]["same_as"] == "scratch" and d[0]["ranks"][1]["rank"] == 1 and d[-1]["verdict"] == "pass"'
# Beside ours, on one rank and of one pair, what fio and iperf3 reach: a check, which judges nothing.
json out '{m["name"] for m in d if m.get("params", {}).get("by") == "fio"} == {"scratch " + n + ", by fio" for n in
  ("write", "read", "random read", "random read x16")}'
json out '{m["name"].split(",")[0] for m in d if m.get("params", {}).get("by") == "iperf3"} == {"tcp 1 stream", "tcp 8 streams"}'
json out 'all(m["value"] > 0 and abs(m["params"]["ratio"] - m["params"]["ours"] / m["value"]) < 1e-9 and m["verdict"] == "pass"
  for m in d if "by" in m.get("params", {}))'
json out '{m["name"] for m in d if m.get("rank") == 1} == {"scratch " + n for n in
  ("write", "read", "random read", "random read x16", "create", "list", "remove")}'
json out 'all(m["value"] > 0 for m in d if m.get("suite") in ("storage", "network"))'
json out '[m["params"]["bytes"] for m in d if m.get("name") == "scratch write"] == [8 << 20] * 2'
json out 'all(m["params"]["way"] in ("O_DIRECT", "posix_fadvise", "memory") for m in d if m.get("name") == "scratch read")'
json out 'len([m for m in d if m.get("name") == "scratch write, all at once" and len(m["params"]["by_rank"]) == 2]) == 1'
json out '[m["name"] for m in d if m.get("suite") == "visibility"] == ["scratch seen " + n for n in ("listed", "by name", "appended", "renamed")]'
json out 'all(m["value"] < 3000 for m in d if m.get("suite") == "visibility")'
json out '[m["params"]["setting"].startswith("visibility_lag: ") for m in d if m.get("name") == "scratch seen listed"] == [True]'
json out 'all(m["params"]["matrix"][0][1] > 0 and m["params"]["matrix"][1][0] > 0 and m["params"]["matrix"][0][0] is None
  for m in d if "matrix" in m.get("params", {})) and {m["unit"] for m in d if m.get("suite") == "network"} == {"GB/s", "us"}'

# Where they are not installed they are not measured, and nothing is said of them.
printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$worker" >bare
chmod +x bare
worker=$work/bare run 0 "${little[@]}" --local-ranks 2 --folder "scratch=$work/scratch" --rounds 1 --json
json out '[m for m in d if "by" in m.get("params", {})] == [] and d[-1]["verdict"] == "pass"'

# As on a file system without O_DIRECT; alone there is nobody to look or to talk to.
run 0 "${little[@]}" --folder "scratch=$work/scratch" --buffered --json
json out '{m["params"]["way"] for m in d if "way" in m.get("params", {})} <= {"posix_fadvise", "memory"}'
json out '{m["suite"] for m in d if "suite" in m} == {"storage"}'
run 0 --help
has 'Needs no GPU' out

# Wrong words, and folders that can't be measured: the others are.
run 2 --folder scratch
has 'write NAME=/FOLDER' err
run 2 --suite storage
run 2 --size 5 --folder "scratch=$work/scratch"
has 'no size of 4M or more' err
touch file
run 3 "${little[@]}" --suite storage --folder "none=$work/none" --folder "file=$work/file" --folder "scratch=$work/scratch" --json
json out '[m["reason"].split("; ")[0].rsplit(" ", 3)[-3:] for m in d if m.get("name") == "none folder"] == [["is", "not", "there"]]'
json out '[m["verdict"] for m in d if m.get("name") == "file folder" and "is no folder" in m["reason"]] == ["error"]'
json out 'any(m.get("name") == "scratch write" and m["verdict"] == "pass" for m in d)'
nothing_left scratch
# with_mount OPTIONS WORDS…: with a tmpfs of its own at small/, and what is left there.
mkdir small
with_mount() {
  unshare --mount --propagation private bash -c '
    mount -t tmpfs -o "$1" none small || exit 99
    [ "$1" != "${1#*ro}" ] && mount -o remount,ro small
    shift
    "$@" >out 2>err
    code=$?
    find small -mindepth 1 >left
    exit "$code"' with_mount "$1" "$worker" --json --suite storage --folder "small=$work/small" "${@:2}"
  code=$?
}
with_mount size=6M "${little[@]}"
equal "too small" 3 "$code"
json out '"6M free" in d[0]["reason"] and "--io-size" in d[0]["reason"]'
with_mount size=60M,nr_inodes=30 "${little[@]}"
equal "too few inodes" 3 "$code"
json out '"more files" in d[0]["reason"]'
with_mount size=60M,ro "${little[@]}"
equal "read-only" 3 "$code"
json out '"read-only" in d[0]["reason"]'
# Full on the way: two ranks at once need what one of them would find.
with_mount size=12M "${little[@]}" --local-ranks 2
equal "full on the way" 3 "$code"
json out 'any("No space left" in m.get("reason", "") for m in d) and any(m.get("name") == "small write" for m in d)'

[ ! -s left ] || fail "a full file system keeps $(<left)"

# A signal in the middle: everything is taken away, and the worker ends by it.
is_at_work() { compgen -G "scratch/rv-io-*" >/dev/null; }
gone() { ! is_at_work; }
"$worker" --size 4G --files 100000 --local-ranks 2 --folder "scratch=$work/scratch" >out 2>err &
process=$!
wait_for 20 is_at_work || fail "it did not begin"
kill -TERM "$process"
wait "$process"
equal "after TERM" 143 "$?"
nothing_left scratch
# A rank that is killed leaves its files to the process that started it.
"$worker" --size 4G --files 100000 --folder "scratch=$work/scratch" >out 2>err &
process=$!
wait_for 20 is_at_work || fail "it did not begin"
pkill -KILL -P "$process"
wait "$process"
equal "after a rank was killed" 3 "$?"
nothing_left scratch

# Another node's view of home, which remembers for two seconds what was there and what was not. It joins from a mount of its own.
export RV_RENDEZVOUS_TOKEN=0123456789abcdef0123456789abcdef WORLD_SIZE=2 MASTER_ADDR=127.0.0.1
MASTER_PORT=$(free_port)
export MASTER_PORT
lag() { # PATIENCE
  words=("$worker" --json --suite visibility --rounds 1 --folder "home=$work/home" --patience "$1" --deadline 60)
  RANK=1 unshare --mount --propagation private bash -c '
    bindfs -o negative_timeout=2,entry_timeout=2,attr_timeout=2 home home || exit 99
    "$@" >late.out 2>late.err
    code=$?
    umount -l home
    exit "$code"' late "${words[@]}" &
  other=$!
  RANK=0 "${words[@]}" >out 2>err
  code=$?
  wait "$other"
}
lag 75
equal "a file system that lags" 0 "$code"
json out '[m["value"] for m in d if m.get("name") == "home seen by name"][0] > 1500'
json out '[m["value"] for m in d if m.get("name") == "home seen appended"][0] > 1000'
json out 'max(m["value"] for m in d if m.get("suite") == "visibility") < 20000'
json out '[int(m["params"]["setting"].split()[1][:-1]) for m in d if m.get("name") == "home seen listed"][0] >= 7'
# Later than rv would wait: a finding.
lag 1
equal "later than rv waits" 1 "$code"
json out 'any(m.get("verdict") == "fail" and "and rv waits 1 s" in m["reason"] for m in d)'
nothing_left home
echo passed
