#!/usr/bin/env bash
# rv accept --hosts on three hosts: every suite for real, one rank a slot, the same report as elsewhere.
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$0")/lib.sh"
make_hosts 3

printf '# the rack\nh1 slots=1\n\nroot@h2   slots=1  # the middle one\nh3 slots=1\n' >rack.txt
exits 0 "$RV" accept --hosts rack.txt --device cpu --suite collective,ddp,train --report-dir report
contains "the last line" "passed: collective, train, ddp" "$out"
contains "progress of each host" "h2  collective-all-nodes" "$err"
contains "where the workers are" "h1, h2, h3: the workers of" "$err"
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
