#!/usr/bin/env bash
# An impossible request is rejected by rv or by Slurm with the reason, and the other candidates of the race continue.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# Nothing fits: the reasons, exit 120, no run.
exits 120 rv run -g 100 --time 5m hostname
contains "reason" "gpu-a40" "$out"
contains "error" "rv: error: this cluster can't provide 100 GPUs for 5m; nothing was submitted" "$err"
matches "way out" 'the maximum for one type is [0-9]+× ' "$err"
exits 120 rv run -g 1 -t v100 --time 100d hostname
contains "error" "rv: error: no job on this cluster can get 1 GPU for 100d (at most 3d); nothing was submitted" "$err"
contains "way out" "in 34 segments: add --checkpoint" "$err"
exits 120 rv run -g 100 --time 5m --dry-run hostname
equal "a dry run has asked for the table" "" "$err"
exits 120 rv run -g 100 --time 5m --json hostname
says "the document says why" "not d['strategies'] and d['rejected']" "$work/out"
exits 120 rv up -g 1 -t rtx3090 --time 3d
contains "reason" "MaxTime" "$out"
exits 2 rv run -t warpdrive hostname
contains "error" "warpdrive" "$err"
contains "way out" "a6000" "$err"
# Names that this cluster does not have: what is wrong, and what there is.
refuses() { # OPTION NAME WAY_OUT
  exits 2 rv run --time 5m "$1" "$2" hostname
  contains "$1" "rv: error: $1: " "$err"
  contains "$1: the name" "\"${2%%:*}\"" "$err"
  contains "$1: way out" "$3" "$err"
  equal "$1: runs" "" "$(ls "$RV_HOME/runs" 2>/dev/null || true)"
}
refuses --account nosuch "your accounts: lab, "
refuses --qos nosuch "it has normal"
refuses --partition gpu-a4 "did you mean gpu-a40"
refuses --constraint nosuch "it has rtx3090"
refuses --nodelist nosuch "sinfo -N lists the nodes"
refuses --exclude udc-an40-9 "did you mean udc-an40-1"
refuses --licenses nosuch:1 "it has none"

# Slurm refuses one candidate (an association limit that came after the limits were read): the others run.
rv plan >/dev/null
# Once accounting has answered behind that plan and those before it, its limits are kept for minutes.
kept() { compgen -G "$RV_HOME/cache/limits-*" >/dev/null && [ -z "$(all_of_rv)" ]; }
wait_for 30 kept || fail "no limits are kept: $(ls "$RV_HOME/cache"), or rv still asks: $(all_of_rv)"
sacctmgr -i modify user root where account=lab set MaxSubmitJobs=0 >/dev/null
controller_has() { scontrol show assoc_mgr flags=assoc | grep -q 'MaxSubmitJobs=0'; }
controller_has_not() { ! controller_has; }
wait_for 20 controller_has || fail "the controller does not hear of the limit"
code=0
rv run -f --time 5m hostname >said 2>&1 || code=$?
sacctmgr -i modify user root where account=lab set MaxSubmitJobs=-1 >/dev/null
equal "exit code" 121 "$code"
contains "Slurm's words" "AssocMaxSubmitJobLimit" "$(<said)"
equal "state" refused "$(field "" "['state']" 2>/dev/null || rv ps -a --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["runs"][0]["state"])')"
wait_for 20 controller_has_not || fail "the controller does not hear of the limit's end"
exits 0 rv run -f --time 5m true
