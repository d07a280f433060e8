# Runs in a pod of an acceptance test: $0 is the script that every node runs, $1 the order, $2 the folder of the reports. A pod's files are
# deleted with it, but its log remains, so the reports are printed between marks (cli/kubernetes/pods/log_reports.h).
# shellcheck shell=bash
set -u
export LC_ALL=C
rv_pod=${RV_POD:-$HOSTNAME}
rv_name=${RV_ACCEPTANCE:-rv-accept}
rv_reports=$2
: "${RV_NODE_NAME:=$rv_pod}"
export RV_NODE_NAME

# The container engine sets the limits; this raises them as far as it allows.
for rv_limit in l n; do ulimit -S -"$rv_limit" "$(ulimit -H -"$rv_limit")" 2>/dev/null; done
echo "rv: node $RV_NODE_NAME, locked memory $(ulimit -l) KiB, open files $(ulimit -n), /dev/shm $(df -hP /dev/shm 2>/dev/null | awk 'NR == 2 {print $2}')"

mkdir -p "$rv_reports" || exit 3
bash -c "$0" || echo "rv: the script that runs the workers ended with code $?"

# Each line is numbered, and a long one is printed in parts ("+": more follows), because logs truncate lines.
rv_count=0
rv_whole=$rv_reports.sent
: >"$rv_whole" || exit 3
rv_lines() {
  local file=$1 line
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line//$'\r'/}
    printf '%s %s\n' "$file" "$line" >>"$rv_whole"
    while [ "${#line}" -gt 4000 ]; do
      printf 'rv-report %s %s %s %d + %s %s\n' "$rv_name" "$rv_pod" "$RV_NODE_NAME" "$rv_count" "$file" "${line:0:4000}"
      line=${line:4000}
      rv_count=$((rv_count + 1))
    done
    printf 'rv-report %s %s %s %d . %s %s\n' "$rv_name" "$rv_pod" "$RV_NODE_NAME" "$rv_count" "$file" "$line"
    rv_count=$((rv_count + 1))
  done
}
rv_lines order.json <<<"$1"
cd "$rv_reports/$RV_NODE_NAME" 2>/dev/null || cd "$rv_reports" || exit 3
for rv_file in steps.jsonl */*.jsonl */err; do
  [ -f "$rv_file" ] || continue
  case $rv_file in
    */err) rv_lines "$rv_file" < <(tail -n 20 "$rv_file" | tail -c 3000 | tr -cd '\11\12\40-\176') ;;
    *) rv_lines "$rv_file" <"$rv_file" ;;
  esac
done
rv_sum=$(sha256sum <"$rv_whole")
printf 'rv-report %s %s %s end %d %s\n' "$rv_name" "$rv_pod" "$RV_NODE_NAME" "$rv_count" "${rv_sum%% *}"
exit 0
