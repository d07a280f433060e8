#!/usr/bin/env bash
# rv-sample by itself: it starts no program, costs almost no time, marks late samples, and reports since when its cgroup is
# gone.
set -euo pipefail
# shellcheck source=tests/memory_cgroup.sh
source "$(dirname "$0")/../memory_cgroup.sh"
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"
trap 'code=$(end_code "$?"); drop_group; drop_work "$code"; exit "$code"' EXIT
goes_on=yes
sampler=$(realpath "$(dirname "$RV")/../workers/rv-sample")

# begin FOLDER SECONDS_BETWEEN: samples this shell's children, without anything that names could be looked up in.
begin() {
  mkdir "$1"
  # shellcheck disable=SC2016 # expands in the inner shell
  bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" \
    env -i PATH= "$sampler" --device cpu --folder "$1" --tree $$ --every "$2" >"$1/said" &
  sampling=$!
  wait_for 20 grep -q ready "$1/said" || fail "$1: it does not begin"
}
end() {
  local code=0
  kill "$sampling"
  wait "$sampling" || code=$?
  equal "ended by SIGTERM" 0 "$code"
}
# cost FOLDER: the sampler's own share of a core, in hundredths of a percent.
cost() { python3 -c 'import json, sys; e = json.loads(sys.stdin.readlines()[-1]); print(round(1e4 * e["cpu_s"] / e["wall_s"]))' <"$1/events.jsonl"; }
rows() { [ "$(grep -c . "$1/process_metrics.csv")" -gt "$2" ]; }

# A child that it had waited for would have left the faults of its pages behind.
begin fast 0.1
wait_for 20 rows fast 40 || fail "no forty samples"
equal "children" 0 "$(awk '{ sub(/.*\) /, ""); print $9 }' "/proc/$sampling/stat")"
end
[ "$(cost fast)" -le "$(patience 300)" ] || fail "ten samples a second took $(cost fast) hundredths of a percent of a core"
begin slow 1
wait_for 20 rows slow 5 || fail "no five samples"
end
[ "$(cost slow)" -le "$(patience 100)" ] || fail "a sample a second took $(cost slow) hundredths of a percent of a core"

# Stopped for a second: the next sample records its delay; missed samples are skipped.
cat >stop.sh <<'END_OF_POINT'
sleep 0.5
sampler=$(pgrep -xP "$PPID" rv-sample)
kill -STOP "$sampler"
sleep 1.2
kill -CONT "$sampler"
sleep 0.5
END_OF_POINT
exits 0 sweep --over n=1 --report-dir r -- bash stop.sh '{n}'
says "late" '(lambda f: f["late_samples"] >= 1 and 900 <= f["latest_ms"] < 10000)(d["points"][0]["samples"]["figures"])' r/results.json
late() { awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "late_ms") c = i } NR > 1 { if ($c >= 900) print $1 - before; before = $1 }' "$1"; }
for file in r/n_1/{cpu,ram,process}_metrics.csv; do
  matches "$file, seconds since the sample before" '^[1-9]' "$(late "$file")"
done

# Its cgroup is no longer to be seen, and comes back.
missing() { grep -c "\"event\":\"$1\",\"source\":\"cgroup\"" gone/events.jsonl || true; }
is_missing() { [ "$(missing "$1")" -eq 1 ]; }
begin gone 0.1
equal "at first" 0 "$(missing lost)"
since=$EPOCHREALTIME
mount -t tmpfs hidden "$memory_cgroups"
wait_for 20 is_missing lost || fail "nobody says that it is gone"
umount "$memory_cgroups"
wait_for 20 is_missing back || fail "nobody says that it is back"
end
all_say "since when" "[-0.2 < l['time'] - $since < 10 and l['why'].endswith('has no readable oom_kill counter') for l in d if l['event'] == 'lost'] == [True]" gone/events.jsonl
contains "no counter" ",,," "$(<gone/ram_metrics.csv)"
