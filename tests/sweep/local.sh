#!/usr/bin/env bash
# rv sweep --local: points, their ends and figures, resuming, and messages for invalid arguments.
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"

# The seed's folder, table and answers.
exits 0 sweep --over n=1000,4000,8000,16000,32000 --stop-after oom --report-dir r -- python3 load.py '{n}'
contains "the table" "gpu-out-of-memory" "$out"
contains "the largest" "The largest n that fits on" "$out"
contains "the recommendation" "The recommended n: n 4,000" "$out"
contains "no GPU was looked at" "throttles for heat: not measured" "$out"
[ ! -e r/n_32000 ] || fail "what is larger than what ran out of memory was run"
for file in training.log gpu_metrics.csv cpu_metrics.csv ram_metrics.csv process_metrics.csv system_info.txt summary.txt; do
  [ -s "r/n_1000/$file" ] || fail "$file is not there"
done
contains "before and after" "--- Final ---" "$(<r/n_1000/system_info.txt)"
contains "the header" "n,steps_per_sec,iter_time_s,training_time_s,peak_gpu_util,peak_vram_mib,peak_gpu_temp,peak_gpu_power,peak_cpu_util,peak_ram_mib,oom," "$(head -1 r/combined_results.csv)"
contains "a line" "1000,24000,0.1,0.3,,,,," "$(<r/combined_results.csv)"
says results '[p["end"]["kind"] for p in d["points"]] == ["done"] * 3 + ["gpu-out-of-memory"] and d["left_out"] == ["n_32000"]' r/results.json
says regions '[p["region"] for p in d["curves"][0]["points"]] == ["linear", "linear", "plateau", None]' r/results.json
says "unknown is not 0" '"peak_vram_mib" not in d["points"][0]["samples"]["figures"] and "steps_per_s" not in d["points"][3]["metrics"]' r/results.json
says "sampled" 'd["points"][0]["samples"]["figures"]["samples"] >= 3 and d["points"][0]["samples"]["figures"]["peak_process_rss_mib"] > 1' r/results.json
says "timesteps" 'd["points"][0]["metrics"]["timesteps_per_iteration"]["last"] == 24000' r/results.json

# What ran is not run again; what is added is.
stamp=$(stat -c %Y.%i r/n_1000/training.log)
exits 0 sweep --over n=1000,2000 --report-dir r --json -- python3 load.py '{n}'
equal "the first run's log" "$stamp" "$(stat -c %Y.%i r/n_1000/training.log)"
printf '%s' "$out" >now.json
says "as JSON" 'd["format"] == "rv-sweep" and len(d["points"]) == 5' now.json

# Ends unrelated to memory, and a killed point with an unknown reason.
# Seconds that no other test sleeps: it is looked for by them among all processes of the machine.
nap=77.$$
cat >end.sh <<END
case \$1 in
1) exit 0 ;; 2) exit 7 ;; 3) kill -KILL \$\$ ;; 4) kill -SEGV \$\$ ;; 5) sleep 60 ;; 6) exit 9 ;;
7) (setsid sleep $nap &) ; exit 0 ;;
esac
END
exits 1 sweep --over n=1,2,3,4,5,6,7 --timeout 3s --oom-exit-code 9 --report-dir ends -- bash end.sh '{n}'
says ends '[p["end"]["kind"] for p in d["points"]] == ["done", "failed", "killed", "signalled", "timed-out", "gpu-out-of-memory", "done"]' ends/results.json
says "nobody knows" '"oom_kill counter" in d["points"][2]["end"]["evidence"]' ends/results.json
says "left behind" '"1 of its processes outlived it" in d["points"][6]["end"]["evidence"]' ends/results.json
equal "killed is neither yes nor no" "" "$(awk -F, '$1 == 3 {print $11}' ends/combined_results.csv)"
! pgrep -f "sleep $nap\$" >/dev/null || fail "a process outlived its point"

# Figures by patterns of one's own, in a file of JSON lines, and nothing matched.
# shellcheck disable=SC2016 # expands in the command
exits 0 sweep --over n=1,2 --metric 'rate=rate ([0-9.,]+)' --throughput rate --report-dir own -- \
  bash -c 'echo "rate 1,00{n}.5"; echo "{\"loss\": 0.{n}}" >>"$RV_SWEEP_METRICS"'
says "own figures" '[p["metrics"]["rate"]["last"] for p in d["points"]] == [1001.5, 1002.5] and d["points"][1]["metrics"]["loss"]["last"] == 0.2' own/results.json
exits 0 sweep --over n=1,2 --report-dir none -- true '{n}'
contains "no metric was printed" "The n with the highest throughput: not measured" "$out"

# The largest that fits, repeats and an order by chance.
exits 0 sweep --over n=2000 --find-max --report-dir max -- python3 load.py '{n}'
contains "the search" "fits and n 16000 does not" "$out"
exits 0 sweep --over n=1,2 --over m=3 --repeats 2 --shuffle 5 --dry-run --report-dir twice -- echo '{n}' '{m}'
equal "points of a dry run" 4 "$(grep -c '^n_' <<<"$out")"
contains "a second time" "n_2_m_3_r2: echo 2 3" "$out"
[ ! -e twice ] || fail "a dry run left something"

# Ctrl-C ends the point with all it started; the point is run again.
nap=4711.$$
cat >slow.sh <<END
echo x >>begun
setsid sleep $nap &
sleep $nap
END
in_background "$RV" sweep --local --device cpu --over n=1 --report-dir cut -- bash slow.sh '{n}'
client=$!
wait_for 20 test -s begun || fail "it did not begin"
kill -INT "$client"
code=0
wait "$client" || code=$?
equal "the exit code" 130 "$code"
contains "how to go on" "the same command continues there" "$(<"$work/err")"
! pgrep -f "sleep $nap\$" >/dev/null || fail "processes are left: $(pgrep -af "sleep $nap\$")"
echo 'echo x >>begun' >slow.sh
exits 0 sweep --over n=1 --report-dir cut -- bash slow.sh '{n}'
equal "how often it was begun" 2 "$(wc -l <begun)"

# Who ends a job signals all its processes: a point that has its TERM before the driver is cut off all the same.
cat >first.sh <<'END'
[ ! -e again ] || exit 0
touch fell
kill -TERM $$
END
in_background "$RV" sweep --local --device cpu --cooldown 0 --over n=1,2 --report-dir resumed -- bash first.sh '{n}'
client=$!
wait_for 20 test -e fell || fail "it did not begin"
kill -TERM "$client"
code=0
wait "$client" || code=$?
equal "the exit code" 143 "$code"
contains "the point is next" "n 1 is next" "$(<"$work/err")"
touch again
exits 0 sweep --over n=1,2 --report-dir resumed -- bash first.sh '{n}'
contains "it is run again" "rv: n 1" "$err"

# A driver that was killed: its point is run again, the others are not; two at once do not go together.
cat >count.sh <<'END'
echo "$1" >>ran
[ "$1" != 2 ] || [ -e go ] || { touch at2; sleep 30; }
END
"$RV" sweep --local --device cpu --cooldown 0 --over n=1,2,3 --report-dir killed -- bash count.sh '{n}' >/dev/null 2>&1 &
client=$!
wait_for 20 test -e at2 || fail "the second point did not begin"
exits 125 sweep --over n=1,2,3 --report-dir killed -- bash count.sh '{n}'
contains "two at once" "another rv is running this sweep" "$err"
kill -KILL "$client"
wait "$client" 2>/dev/null || true
touch go
exits 0 sweep --over n=1,2,3 --report-dir killed -- bash count.sh '{n}'
contains "said" "which was cut off before" "$err"
equal "what ran" "1 2 2 3" "$(xargs <ran)"

# Points of two machines on one curve are marked.
cp -r r mixed
sed -i 's/"host": "[^"]*"/"host": "elsewhere"/' mixed/n_1000/result.json
exits 0 sweep --over n=1000 --report-dir mixed -- python3 load.py '{n}'
contains "two machines" "the points ran on different machines" "$err"

# The second machine.
cp -r r other
python3 - <<'END'
import json
for n in 1000, 2000, 4000, 8000, 16000:
    path = f"other/n_{n}/result.json"
    d = json.load(open(path))
    d["host"] = "laptop"
    for m in d["metrics"].values():
        m["values"] = [v / 2 for v in m["values"]]
    json.dump(d, open(path, "w"))
END
exits 0 "$RV" sweep --report-dir both compare r other
contains "the speed-up" "2.00 times (at n 8,000" "$out"
contains "the other's memory" "laptop runs out of memory: n 16,000" "$out"
[ -s both/compare.html ] || fail "no page"
says "both as JSON" 'd["curves"][0]["points"][0]["speed_up"] == 2' both/compare.json
exits 2 "$RV" sweep compare r nowhere
contains "no sweep" "nowhere does not contain a sweep" "$err"
