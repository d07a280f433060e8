#!/usr/bin/env bash
# The guard of a segment warns, terminates and kills at the right times, on a simulated clock: undisturbed, and in a job that
# was suspended before or after the warning or whose time limit was raised. RENDER is the program that writes the scripts.
# shellcheck disable=SC2034,SC2154,SC2317 # the script under test reads what is set here and calls these functions
set -euo pipefail
: "${RENDER:?the program render_scripts}"
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-guard-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes

mkdir -p "$work/bin"
"$RENDER" "$work" >/dev/null
printf '#!/bin/sh\ncat "%s/ends"\n' "$work" >"$work/bin/squeue"
chmod +x "$work/bin/squeue"
export work PATH=$work/bin:$PATH SLURM_JOB_ID=10 SLURMD_NODENAME=n1
run=$work/runs/checkpoint
sed '/^rv_pass_gate$/,$d' "$run/candidates/1/script.sh" >"$work/functions"

# signals ENDS GAP…: what the guard of a job does that ends at 10000 s, with 600 s for saving; GAP "AT:SECONDS[:ENDS]": at that time the
# job stalls for this long. ENDS: what Slurm says of its end when it is asked, from the start or from the gap on.
signals() {
  mkdir -p "$run"/{chain,ledger,jobs}
  rm -f "$run"/chain/*
  echo "$1" >"$work/ends"
  shift
  bash -c '
    functions=$1
    shift
    gaps=("$@")
    set --
    source "$functions"
    time=9000 rv_segment=1 rv_job_ends=10000 rv_warning=600 rv_mark=x rv_start="10 0 1"
    rv_term_at=$((rv_job_ends - rv_margin)) rv_warn_at=$((rv_job_ends - rv_margin - rv_warning))
    sleep() {
      local gap at seconds ends
      time=$((time + $1))
      for gap in ${gaps[@]+"${gaps[@]}"}; do
        IFS=: read -r at seconds ends <<<"$gap"
        [ "$time" -ge "$at" ] || continue
        [ -z "$ends" ] || echo "$ends" >"$work/ends"
        time=$((time + seconds)) gaps=("${gaps[@]:1}")
      done
      [ "$time" -lt 20000 ]
    }
    timeout() { shift; "$@"; }
    rv_clock() { rv_now=$time; }
    rv_read_ledger() { return 0; }
    rv_remember() { rv_found=x; }
    said=""
    rv_signal_tree() { [[ $said == *"$1"* ]] || printf "%s at %s\n" "$1" "$time"; said+=$1; }
    rv_warn_tree() { rv_warned=x; [[ $said == *warn* ]] || printf "warn at %s\n" "$time"; said+=warn; }
    rv_guard' guard "$work/functions" "$@" 2>"$work/err"
}
# about WHAT EXPECTED ACTUAL: the guard polls every five seconds.
about() {
  python3 -c '
import sys
what, expected, actual = sys.argv[1:]
pairs = lambda text: [(line.split()[0], int(line.split()[2])) for line in text.strip().splitlines()]
wanted, got = pairs(expected), pairs(actual)
assert [w for w, _ in wanted] == [g for g, _ in got] and all(-1 <= g - w <= 12 for (_, w), (_, g) in zip(wanted, got)), (what, got)
' "$@" || fail "$1: got $3 $(cat "$work/err")"
}
about "undisturbed" $'warn at 9340\nTERM at 9940\nKILL at 9970' "$(signals 10000)"
about "suspended before the warning" $'warn at 10340\nTERM at 10940\nKILL at 10970' "$(signals 11000 9100:1000)"
about "suspended, and Slurm does not answer" $'warn at 10100\nTERM at 10700\nKILL at 10730' "$(signals "" 9100:1000)"
about "suspended after the warning" $'warn at 9340\nTERM at 10940\nKILL at 10970' "$(signals 10000 9400:1000:11000)"
about "suspended after the warning, and Slurm does not answer" $'warn at 9340\nTERM at 10940\nKILL at 10970' "$(signals "" 9400:1000)"
about "suspended for a moment after the warning" $'warn at 9340\nTERM at 9980\nKILL at 10010' "$(signals 10000 9400:40:10040)"
about "a busy node after the warning" $'warn at 9340\nTERM at 9940\nKILL at 9970' "$(signals 10000 9400:40)"
about "suspended between TERM and KILL" $'warn at 9340\nTERM at 9940' "$(signals 10000 9945:1000:11000 | head -n 2)"
about "its time limit was raised" $'warn at 12340\nTERM at 12940\nKILL at 12970' "$(signals 13000)"

# Random suspensions, with and without Slurm's answers: TERM never comes before all of the time for saving has passed as running time,
# and KILL never before the grace after it. With answers it comes before the job's end too.
histories() { python3 - "$1" <<'PY'
import random, sys
dice = random.Random(sys.argv[1])
for _ in range(12):
    at, moved, gaps = 9000, 0, []
    for _ in range(dice.randint(1, 4)):
        at += dice.randint(20, 500)
        seconds = dice.choice([18, 40, 59, 61, 300, 4000])
        moved += seconds
        gaps.append(f"{at}:{seconds}:{10000 + moved}")
        at += seconds
    print(*gaps)
PY
}
while read -r -a gaps; do
  said=$(signals 10000 "${gaps[@]}")
  python3 - "$said" "${gaps[@]}" <<'PY' || fail "${gaps[*]}: $said $(cat "$work/err")"
import sys
said = {line.split()[0]: int(line.split()[2]) for line in sys.argv[1].splitlines()}
gaps = [tuple(map(int, gap.split(":"))) for gap in sys.argv[2:]]
# How long the job has run at a moment of the wall clock, and its end.
ran = lambda now: now - sum(min(max(now - at, 0), seconds) for at, seconds, _ in gaps)
end = 10000 + sum(seconds for at, seconds, _ in gaps if at < said.get("KILL", 20000))
assert "warn" in said and "TERM" in said, "no warning, or no end"
assert ran(said["TERM"]) - ran(said["warn"]) >= 600 - 15, "TERM before the time for saving was over"
assert said["TERM"] < end, "TERM after the job's end"
assert "KILL" not in said or ran(said["KILL"]) - ran(said["TERM"]) >= 30 - 15, "KILL right after TERM"
PY
done < <(histories 7)
