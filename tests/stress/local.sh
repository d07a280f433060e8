#!/usr/bin/env bash
# rv stress on the processor measures shares and writes each form of report, leaves no process, and names each injected fault.
# shellcheck source=tests/stress/lib.sh
source "$(dirname "$0")/lib.sh"

# All forms of one report.
exits 0 stress --workers 3 --reference 3s --report-dir r --junit junit.xml
contains "the matrices" "3 workers for 1 s, each three matrices of 512 × 512 fp32 (3145728 bytes)" "$out"
contains "the scaling" "times one worker alone" "$out"
contains "the rate" "workers that passed: 3 of 3 (100 %, at least 80 %)" "$out"
says "workers" '[w["worker"] for w in d["nodes"][0]["workers"]] == [0, 1, 2] and all(w["operations"] > 0 and w["end"] == "done" for w in d["nodes"][0]["workers"])' r/stress.json
says "memory" 'all(w["rss_peak_bytes"] > 3145728 and w["gpu_peak_bytes"] is None for w in d["nodes"][0]["workers"])' r/stress.json
says "together" '(lambda n: n["gpus"][0]["operations"] == sum(w["operations"] for w in n["workers"]) and n["gpus"][0]["utilisation_percent"] > 0)(d["nodes"][0])' r/stress.json
says "balance" 'd["nodes"][0]["balance"]["workers"]["of"] == 3 and d["nodes"][0]["balance"]["workers"]["most_to_least"] >= 1' r/stress.json
says "afterwards" '{c["check"]: c["verdict"] for c in d["nodes"][0]["after"]}["processes"] == "pass"' r/stress.json
python3 -c 'import sys, xml.etree.ElementTree as x; t = x.parse("junit.xml").getroot(); sys.exit(not (len(t) == 2 and not list(t.iter("failure")) and len(list(t.iter("testcase"))) >= 8))' ||
  fail "junit.xml: $(<junit.xml)"
contains "the page" "Workers that passed: 3 of 3" "$(<r/stress.html)"
lacks "nothing is loaded" 'src="http' "$(<r/stress.html)"
nobody_left

# Judged again with another limit, and removed on request.
folder=$(echo "$RV_HOME"/stress/*)
exits 0 "$RV" stress --judge "$folder" --json
exits 122 "$RV" stress --judge nowhere
rm -rf "$RV_HOME/stress"
exits 0 "$RV" stress --local --device cpu --duration 0.5s --cleanup
[ ! -e "$RV_HOME/stress" ] || fail "--cleanup left $(find "$RV_HOME/stress")"

# A launcher's output is shown if its file is temporary, else its path is.
exits 1 stress --skip-stress --cleanup --launch 'echo boom; exit 3' --report-dir r
contains "its words" "its last output:
        boom" "$out"
says "its words" 'd["findings"][0]["advice"] == "its last output:\nboom"' r/stress.json
exits 1 stress --skip-stress --launch 'echo boom; exit 3'
words=$(sed -n 's/.*its output is in //p' <<<"$out")
equal "the file that is named" boom "$(cat "$words")"
rm -rf "$RV_HOME/stress"

# fault KIND CODE WHAT…: the fault, the exit code and parts of the message.
fault() {
  exits "$2" stress --workers 2 --silence 2s --inject "$1"
  contains "$1" "$3" "$out"
  contains "$1 is named" "worker 1" "$out"
  nobody_left
}
fault die@1:1 1 "was killed by signal 9"
fault hang@1:1 1 "hangs: no heartbeat for 2."
fault stuck@1:1 1 "hangs: no heartbeat for 2."
fault leak@1 1 "leaks: its memory grew from"
fault descriptor@1 1 "leaks: its open files grew from"
fault corrupt@1 1 "wrong result: element"
fault orphan@1 1 "processes afterwards: left behind, and ended: of worker 1"
fault segment@1 1 "shared memory afterwards: left behind, and removed: /dev/shm/rv-stress-left-by-"
! compgen -G '/dev/shm/rv-stress-left-by-*' >/dev/null || fail "shared memory is left"

# Four of five are enough, unless more are required; JUnit agrees.
exits 0 stress --workers 5 --inject die@2:1 --junit j.xml
contains "tolerated" "note  " "$out"
lacks "JUnit" "<failure" "$(<j.xml)"
exits 1 stress --workers 5 --inject die@2:1 --min-success 90 --junit j.xml
contains "JUnit" '<failure message="4 of 5 passed (80 %)"/>' "$(<j.xml)"

# Ctrl-C ends all of it.
in_background "$RV" stress --local --device cpu --duration 60s --reference 0
client=$!
working() { [ "$(pgrep -xc rv-stress)" -ge 3 ] && grep -q "workers for" "$work/err"; }
wait_for 20 working || fail "it did not begin"
kill -INT "$client"
code=0
wait "$client" || code=$?
equal "the exit code" 130 "$code"
nobody_left
[ ! -e "$RV_HOME/stress" ] || [ "$(find "$RV_HOME/stress" -newer "$work/err" -type d | wc -l)" -le 1 ] || fail "a folder is left: $(find "$RV_HOME/stress" -newer "$work/err")"
