#!/usr/bin/env bash
# ssh, rsync and scp reach a run's node by entries that rv writes: with the job's environment, in the new job after a chain has
# moved, and no longer when the run is over. The user's own configuration is unchanged.
# shellcheck source=tests/remote/lib.sh disable=SC2016 # what expands on the node is in single quotes
source "$(dirname "$0")/lib.sh"

slurm_login
exits 0 rv -H loop exec true
cat >"$work/work.sh" <<'S'
until [ -e "$1" ]; do sleep 0.2; done
rm "$1"
echo CUDA_ERROR_ECC_UNCORRECTABLE >&2
exit 1
S
exits 0 rv -H loop run --checkpoint --segment-time 10m --time 20m -t a40 -g 2 --name moves bash "$work/work.sh" "$work/crash"
id=$out
exits 0 rv -H loop run -t a40 -g 1 --time 10m --name 'two words' sleep 300
plain=$out
running() { [ "$(rv -H loop show "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["state"])')" = running ]; }
wait_for 30 running "$id" || fail "$id does not run"
wait_for 30 running "$plain" || fail "$plain does not run"

cp "$work/laptop/.ssh/config" "$work/config_before"
exits 0 rv -H loop ssh --config
file=$work/laptop/.rv/ssh/config
equal "the line" "Include $file" "$out"
contains "the hosts" "ssh rv-$id or rv-moves reaches run moves" "$err"
contains "a name with a space" "ssh rv-$plain reaches run two words" "$err"
equal "the user's file" "$(<"$work/config_before")" "$(<"$work/laptop/.ssh/config")"
equal "mode" 600 "$(stat -c %a "$file")"
{ echo "$out" && cat "$work/config_before"; } >"$work/laptop/.ssh/config"

ssh_there() { laptop ssh "$@"; }
where=$(ssh_there rv-moves 'echo "$SLURM_JOB_ID $SLURMD_NODENAME"; echo "$CUDA_VISIBLE_DEVICES $RV_RUN_ID" >&2' 2>"$work/said")
contains "on its node" "udc-" "$where"
equal "with its GPUs" "0,1 $id" "$(<"$work/said")"
equal "by its ID" "$where" "$(ssh_there "rv-$id" 'echo "$SLURM_JOB_ID $SLURMD_NODENAME"')"
equal "what has no name for ssh" "$plain" "$(ssh_there "rv-$plain" 'echo "$RV_RUN_ID"')"
code=0
ssh_there rv-moves 'exit 9' || code=$?
equal "exit code" 9 "$code"
equal "a terminal" /dev/pts "$(laptop ssh -tt rv-moves tty 2>/dev/null | tr -d '\r' | sed 's|/[0-9]*$||')"
head -c 5000000 /dev/urandom >"$work/laptop/data"
laptop rsync -a "$work/laptop/data" "rv-moves:$work/there"
cmp "$work/laptop/data" "$work/there"
laptop scp -q "rv-moves:$work/there" "$work/laptop/back"
cmp "$work/laptop/data" "$work/laptop/back"

# Another key gets nothing.
sed "s|IdentityFile.*|IdentityFile $work/laptop/.ssh/id_ed25519|" "$file" >"$work/laptop/other_key"
chmod 644 "$work/laptop/other_key"
code=0
ssh_there -F "$work/laptop/other_key" rv-moves true 2>"$work/said" || code=$?
equal "another key" 255 "$code"
contains "another key" "Permission denied" "$(<"$work/said")"

# The chain continues in another job on another node: the same name.
touch "$work/crash"
moved() {
  now=$(ssh_there rv-moves 'echo "$SLURM_JOB_ID $SLURMD_NODENAME"' 2>/dev/null) && [ "${now% *}" != "${where% *}" ]
}
wait_for 60 moved || fail "still $where: $(rv -H loop show moves)"
[ "${now#* }" != "${where#* }" ] || fail "the same node: $where, then $now"

# A run that is over loses its entry when somebody asks for it, and with the next --config.
exits 0 rv -H loop stop moves
stopped() { [ "$(rv -H loop show "$id" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["state"])')" = stopped ]; }
wait_for 30 stopped || fail "not over: $(rv -H loop show "$id")"
mkdir "$work/home/runs/$id/ssh/killed" # what a connection leaves that was killed with its job
code=0
ssh_there rv-moves true 2>"$work/said" || code=$?
equal "over" 255 "$code"
contains "over" "run $id holds no GPUs" "$(<"$work/said")"
lacks "its entry" "$id" "$(<"$file")"
contains "the other's entry" "Host rv-$plain" "$(<"$file")"
exits 0 rv -H loop stop "$plain"
none_left() { rv -H loop ssh --config && ! grep -q "^Host" "$file"; } >/dev/null 2>&1
wait_for 30 none_left || fail "entries of runs that are over: $(<"$file")"
exits 0 rv ssh --config --rm
[ ! -e "$file" ] || fail "the file is still there"
exits 2 rv ssh --rm
left() { find "$work/home/runs/$id/ssh" -mindepth 1 -type d; }
nothing_left() { [ -z "$(left)" ]; }
wait_for 10 nothing_left || fail "connections leave on the cluster: $(left)"
