# Functions that every part of gpu_checks.sh uses.
# shellcheck shell=bash
: "${reports:?the folder of the reports}" "${work:?}" "${root:?}"
rows=$reports/rows # a line for each row: name, verdict, seconds
: >"$rows"

# row NAME ASSERTION…: runs an assertion, and prints one line to stderr as progress. $reports/NAME/said has its output.
row() {
  local name=$1 verdict=ok begin
  shift
  begin=$(date +%s.%N)
  work=$reports/$name
  mkdir -p "$work"
  ("$@") >"$work/said" 2>&1 || verdict=NOT_OK
  printf '%-28s %-7s %6.1f s\n' "$name" "$verdict" "$(awk "BEGIN { print $(date +%s.%N) - $begin }")" | tee -a "$rows" >&2
}
# check NAME SECONDS CODE[,CODE…] COMMAND…: the command ends with that code within these seconds. $reports/NAME has its out
# and err.
check() { row "$1" exits "$3" timeout --kill-after=10 "$2" "${@:4}"; }
# has NAME REGEX: the output of that check matches.
has() { row "$1: output" matches "$1" "$2" "$(<"$reports/$1/out")"; }
# figures NAME [REGEX]: keeps the lines of that check with measurements, or those that match, for the table at the end.
figures() { grep -E "${2:-GB/s|TFLOP/s| us | ms }" "$reports/$1/out" | sed 's/^/    /' >"$reports/$1/figures"; }

# print_table: the rows that failed, each with the end of its output, then the rows that passed, with their figures. Returns
# 1 if a row failed.
print_table() {
  local line name
  while read -r line; do
    name=${line%% NOT_OK*} name=${name%"${name##*[! ]}"}
    printf '%s\n' "$line"
    tail -n 30 "$reports/$name/said" | sed 's/^/    /'
  done < <(grep ' NOT_OK ' "$rows")
  while read -r line; do
    name=${line%% ok *} name=${name%"${name##*[! ]}"}
    printf '%s\n' "$line"
    [ ! -s "$reports/$name/figures" ] || cat "$reports/$name/figures"
  done < <(grep ' ok ' "$rows")
  printf '%s of %s rows failed; reports: %s\n' "$(grep -c ' NOT_OK ' "$rows")" "$(wc -l <"$rows")" "$reports"
  ! grep -q ' NOT_OK ' "$rows"
}

# shellcheck disable=SC2317 # called by row
# nearly_full RESULTS: each rank took nine tenths of its GPU or more.
nearly_full() {
  python3 - "$1" "$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)" << 'END'
import json, sys
r = json.load(open(sys.argv[1]))
total = int(sys.argv[2]) << 20
print({k: r[k] for k in ("batch_size_per_gpu", "peak_memory_bytes_by_rank", "peak_memory_source", "allocated_gpu_memory_bytes")}, total)
assert all(0.9 * total < taken <= total for taken in r["peak_memory_bytes_by_rank"]), "not nearly full"
END
}

# fitting NAME WORDS…: rows of rv-train with these words, with a batch that is too large and with the one it proposes.
fitting() {
  local name=$1 batch
  shift
  check "${name}_does_not_fit" 90 4 "$@" --batch-size 65536
  row "${name}_says" matches "two lines" \
    'rv-train: error: out_of_memory: .*a step of --batch-size 65536 needs [0-9]+ bytes of GPU memory, but [0-9]+ are free.hint: --batch-size [0-9]+ fits' \
    "$(tr '\n' ' ' < "${name}_does_not_fit/err")"
  batch=$(sed -n 's/^hint: --batch-size \([0-9]*\) fits$/\1/p' "${name}_does_not_fit/err")
  check "${name}_fits" 300 0 "$@" --batch-size "${batch:-nothing_proposed}" --steps 3 --results "$name.json" --deadline 200
  row "${name}_full" nearly_full "$name.json"
}

# shellcheck disable=SC2317 # called by row
# same_bits NAME OTHER: the weights of both checks have the same checksum.
same_bits() {
  local sums
  sums=$(grep -o '"checksum":"[0-9a-f]*"' "$reports/$1/out") || fail "$1 has no checksum"
  equal "the bits of $2, and of $1 without the stop" "$sums" "$(grep -o '"checksum":"[0-9a-f]*"' "$reports/$2/out")"
}

# resumed NAME WORDS…: rows of that training: from one checkpoint on, the same bits whether it is stopped again or not.
resumed() {
  local name=$1
  shift
  rm -rf "$name.once" "$name.twice"
  check "${name}_begun" 60 0 "$@" --steps 4 --checkpoint "$name.once"
  cp -r "$name.once" "$name.twice"
  check "${name}_once" 60 0 "$@" --steps 12 --checkpoint "$name.once"
  check "${name}_twice" 60 0 "$@" --steps 8 --checkpoint "$name.twice"
  check "${name}_thrice" 60 0 "$@" --steps 12 --checkpoint "$name.twice"
  row "${name}_resumed" same_bits "${name}_once" "${name}_thrice"
}

# shellcheck disable=SC2317 # called by row
# sound RESULTS RANKS: shares, load and throttled seconds of that many ranks.
sound() {
  python3 - "$1" "$2" << 'END'
import json, sys
r = json.load(open(sys.argv[1]))
print(json.dumps({k: r[k] for k in ("shares_by_rank", "alone_step_seconds_by_rank", "average_step_time_seconds",
                                    "one_rank_samples_per_second", "scaling_efficiency", "throttled_seconds_by_rank")}))
assert len(r["shares_by_rank"]) == len(r["throttled_seconds_by_rank"]) == int(sys.argv[2])
for shares in r["shares_by_rank"]:
    assert abs(sum(shares.values()) - 1) < 1e-9 and shares["compute"] > 0.5 and min(shares.values()) >= 0, shares
assert r["load"] is None or len(r["load"]["throttled_s"]) == len(r["load"]["seconds"])
assert len(r["peak_memory_bytes_by_rank"]) == int(sys.argv[2]) and r["peak_memory_source"] in ("driver", "free_memory"), r["peak_memory_source"]
assert r["gpu_memory_bytes"] == r["peak_memory_bytes_by_rank"][0] >= r["allocated_gpu_memory_bytes"] > 1e9
assert (r["slowest_rank"] is None) == (int(sys.argv[2]) == 1)
END
}

# shellcheck disable=SC2317 # called by row
# same_losses RESULTS RESULTS SHARE: step by step within this share of each other, and they fall.
same_losses() {
  python3 - "$@" << 'END'
import json, sys
one, two = (json.load(open(path))["losses"] for path in sys.argv[1:3])
print(one, two)
assert len(one) == len(two) == 8 and one[-1] < one[0]
assert all(abs(a - b) < float(sys.argv[3]) * a for a, b in zip(one, two)), [abs(a - b) / a for a, b in zip(one, two)]
END
}

# shellcheck disable=SC2317 # called by row
# details_of_trainings ACCEPT_JSON: of each model what stands behind its rate is known; the peak where the GPU's is.
details_of_trainings() {
  python3 - "$1" << 'END'
import json, sys
trained = [f for f in json.load(open(sys.argv[1]))["figures"] if f["suite"] == "model" and "shares" in f["params"]]
assert len(trained) == 3, trained
for f in trained:
    p = f["params"]
    print(f["name"], f.get("share_of_peak"), p["shares"], p["scaling_efficiency"], p["peak_memory_bytes_by_rank"], p["slowest_rank"])
    assert 0.3 < p["scaling_efficiency"] < 1.1 and p["slowest_rank"]["ratio"] >= 1 and min(p["peak_memory_bytes_by_rank"]) > 1e9
    assert not any(gpu in f["model"] for gpu in ("H100", "H200")) or 0.05 < f["share_of_peak"] < 1
END
}
# shellcheck disable=SC2317 # called by row
tensors() { python3 -B "$root/tests/workers/tensors.py" "$@"; }
