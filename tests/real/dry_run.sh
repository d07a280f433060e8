#!/usr/bin/env bash
# A dry run on the afton shape lists the expected number of strategies, submits nothing and uses no job ID.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# The published rates, times ten as su_factor counts.
sed 's/^# su_factor: 10/su_factor: 10/' "$root/examples/sites/rivanna.yaml" >"$RV_SITE"
probe() { sbatch --parsable -p standard --mem=10M -o /dev/null --wrap true; }
count() { rv up "$@" --dry-run --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["strategies"]))'; }
first=$(probe)
equal "2 GPUs" 7 "$(count --gpu 2 --time 30m)"
equal "4 GPUs" 12 "$(count --gpu 4 --time 30m)"
equal "8 GPUs" 9 "$(count --gpu 8 --time 1h)"
equal "8 GPUs, 24 h" 9 "$(count --gpu 8 --time 24h)"
equal "4 A100, of either size" 4 "$(count --gpu 4 --type a100 --time 30m)"
equal "2 H200" 1 "$(count --gpu 2 --type h200 --time 30m)"
cost=$(rv up --gpu 2 --type h200 --time 30m --dry-run --json |
  python3 -c 'import json,sys; print(round(json.load(sys.stdin)["strategies"][0]["cost_su"]))')
equal "SU of 2 H200 for 30 m" 817 "$cost"
equal "4 GPUs, two nodes" 12 "$(count --gpu 4 --time 30m --splits two-nodes)"
equal "job IDs used" $((first + 1)) "$(probe)"
equal "runs made" 0 "$(find "$RV_HOME/runs" -mindepth 1 2>/dev/null | wc -l)"

# The site's idle_stop is the default of what is held; never takes it away.
echo 'idle_stop: 20m' >>"$RV_SITE"
idle_stop() { rv up -g 1 --time 1h "$@" --dry-run --json | grep -o 'rv_idle_stop=[0-9]*' | sort -u; }
equal "the site's idle_stop" rv_idle_stop=1200 "$(idle_stop)"
equal "none" rv_idle_stop=0 "$(idle_stop --idle-stop never)"

# A saved snapshot plans the same without any Slurm.
quiet() { no_jobs && [ -z "$(all_of_rv)" ]; }
wait_for 60 quiet || fail "jobs, or what learns from accounting: $(squeue -h) $(all_of_rv)"
rv cluster --save "$work/afton.json"
live=$(rv plan -g 4 --time 30m)
saved=$(SLURM_CONF=/nonexistent PATH=/nonexistent "$RV" plan -g 4 --time 30m --cluster "$work/afton.json")
equal "plan on the saved snapshot" "$live" "$saved"
