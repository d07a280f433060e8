#!/usr/bin/env bash
# rv accept --hosts on three hosts runs the suites with one rank per slot, and writes the same report as through Slurm.
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$0")/lib.sh"

# The third host does not see the folder of the workers.
mkdir "$work/workers"
cp "$(dirname "$RV")"/../workers/rv-{health,compute,collective,train} "$work/workers"
hidden=h3
make_hosts 3
# A login shell that talks.
printf 'echo welcome; echo beware >&2\n' >"$work/root/.bashrc"

printf '# the rack\nh1 slots=1\n\nroot@h2   slots=1  # the middle one\nh3 slots=1\n' >rack.txt
exits 0 "$RV" accept --hosts rack.txt --worker-folder "$work/workers" --device cpu --suite collective,ddp,train,transformer --report-dir report
contains "the last line" "passed: collective, train, ddp, transformer" "$out"
contains "progress of each host" "h2  collective-all-nodes" "$err"
contains "who has the workers" "rv: h1, h2: use the workers in $work/workers" "$err"
contains "who gets them" "rv: h3: workers copied into a private folder" "$err"
lacks "chatter" "welcome" "$out$err"
says verdict 'd["verdict"] == "pass" and d["findings"] == []' report/accept.json
says order 'd["order"]["nodes"] == 3 and d["order"]["gpus_per_node"] == 1' report/accept.json
says together 'all(f["gpus"] == 3 for f in d["figures"] if f["suite"] == "collective") and any(f["suite"] == "collective" for f in d["figures"])' report/accept.json
[ -s report/accept.html ] || fail "no page"
folder=$(echo "$RV_HOME"/accept/*-*)
equal "the nodes, as the file names them" "h1 h2 h3" "$(cd "$folder/reports" && echo *)"
ranks=$(cat "$folder"/reports/h1/collective-all-nodes/*.jsonl)
for host in h1 h2 h3; do contains "the ranks' hosts" "\"host\":\"$host\"" "$ranks"; done
lacks "the secret in a report" "$(<"$folder/token")" "$(cat "$folder"/reports/*/*/*)"
left_clean h1 h2 h3

# As JSON, several ranks on each host, named on the command line.
exits 0 "$RV" accept --hosts h1,h3 --slots 2 --worker-folder "$work/workers" --device cpu --suite ddp --json
says json 'd["verdict"] == "pass" and d["order"]["nodes"] == 2 and d["order"]["gpus_per_node"] == 2' "$work/out"
left_clean h1 h3
