# What rv notify test runs on the login node: the same lines as in a job, with an event of their own.
set -u
RV_RUN_ID=test RV_RUN_DIR=/nonexistent RV_CANDIDATE=0 SLURM_JOB_ID=0 SLURM_JOB_NAME=test@rv
rv_node=$(uname -n)
rv_event() { printf '{"event":"%s"%s}\n' "$1" "${2:-}"; }
{{include:notify.inc.sh}}
rv_one={{target}}
rv_notify_body=$(printf '{"event":"test","run":"test","name":"test","time":%(%s)T,"node":"%s"}' -1 "$rv_node")
rv_notify_text="test message of rv from $rv_node"
for rv_target in "$rv_notify_folder"/targets/*; do
  [ -z "$rv_one" ] || [ "${rv_target##*/}" = "$rv_one" ] || continue
  rv_notify_one "$rv_target" test "$rv_notify_body" "$rv_notify_text"
done
