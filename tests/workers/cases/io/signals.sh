#!/usr/bin/env bash
# rv-io removes all of its files after a signal or after the death of a rank.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

mkdir scratch
is_at_work() { compgen -G "scratch/rv-io-*" >/dev/null; }
beside "$RV" --size 4G --files 100000 --local-ranks 2 --folder "scratch=$work/scratch"
wait_for 20 is_at_work || fail "it did not begin"
kill -TERM "$other"
other_exits 143
nothing_left scratch
# A rank that is killed leaves its files to the process that started it.
beside "$RV" --size 4G --files 100000 --folder "scratch=$work/scratch"
wait_for 20 is_at_work || fail "it did not begin"
pkill -KILL -P "$other"
other_exits 3
nothing_left scratch
