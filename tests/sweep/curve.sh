#!/usr/bin/env bash
# rv-sample --curve prints one line per sample of a stand-in for the driver, until it is ended or its parent is gone.
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"
sampler=$(dirname "$RV")/../workers/rv-sample

# Without a driver there is no file.
exits 77 "$sampler" --curve none
[ ! -e none ] || fail "a file without a GPU"

export LD_LIBRARY_PATH=$RV_STAND_IN_NVML STAND_IN_GPU=$work/gpu RV_NODE_NAME=n7
echo "90 40 8192 61 350 1700 2600 0" >"$STAND_IN_GPU"
"$sampler" --curve curve &
sampling=$!
wait_for 20 test -s curve || fail "nothing is written"
# Hundredths of a second of a core, so far.
used() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$sampling/stat"; }
before=$(used)
rm "$STAND_IN_GPU" # the driver does not answer any more
two() { [ "$(wc -l <curve)" -ge 2 ]; }
wait_for 20 two || fail "no second look"
more=$(($(used) - before))
[ "$more" -le 5 ] || fail "$more hundredths of a core in the five seconds to the second look: more than one in a hundred"
kill "$sampling"
code=0
wait "$sampling" || code=$?
equal "ended by SIGTERM" 0 "$code"
[[ $(head -n 1 curve) =~ ^[0-9]{10}"|n7|0, Stand-in 80GB, 90, 8192, 81920, 350.00, "([0-9.]+|"[N/A]")", 61, 0.0, 1700"$ ]] ||
  fail "the first look: $(head -n 1 curve)"
contains "what is not known" "|n7|0, Stand-in 80GB, [N/A], [N/A], 81920, [N/A]" "$(tail -n 1 curve)"

# Its parent is killed: it ends too.
echo "90 40 8192 61 350 1700 2600 0" >"$STAND_IN_GPU"
bash -c '"$1" --curve orphan & echo "$!" >pid; wait' _ "$sampler" &
parent=$!
wait_for 20 test -s pid || fail "it does not begin"
wait_for 20 test -s orphan || fail "nothing is written"
kill -KILL "$parent"
wait "$parent" 2>/dev/null || true
gone() { ! kill -0 "$(<pid)" 2>/dev/null; }
wait_for 20 gone || fail "it outlives its parent"
