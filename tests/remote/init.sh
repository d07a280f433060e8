#!/usr/bin/env bash
# rv init on a laptop tests ssh, Slurm and the folders of the login node, and writes the cluster's settings there and the host
# name here.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
config=$work/laptop/.rv/config.yaml

exits 119 rv init -H nowhere.invalid
[ ! -e "$config" ] || fail "a host without an answer was written"
exits 2 rv init -H loop --cluster-home 'a b'
exits 2 rv init -H loop --account nolab
contains "an account that is not there" "yours: lab" "$err"
[ ! -e "$config" ] || fail "settings were written before they had been tried"

home=$work/elsewhere
exits 0 rv init -H loop --user root --account lab --cluster-home "$home"
contains "Slurm there" "on afton, " "$out"
matches "the machine of the cluster's settings" "account       lab, written to [^/]+:$home/config.yaml" "$out"
contains "the laptop's settings" "host          root@loop, written to $config" "$out"
equal "the laptop's settings" "host: root@loop
cluster_home: $home" "$(<"$config")"
equal "the cluster's" "account: lab" "$(<"$home/config.yaml")"
# From now on every command goes there.
exits 0 rv cluster --json
exits 0 rv init --account lab
contains "nothing new here" "host          root@loop, as before" "$out"
contains "nothing new there" "account       lab, as before" "$out"
exits 0 rv init --json
says "nothing new" 'd["account"] == "lab" and d["changed"] == []' "$work/out"

# What a user may store, from the site's own command; one that fails or is not there changes nothing.
printf 'account: lab\nquota_command: printf "home  3G of 50G\\n"\n' >"$home/config.yaml"
exits 0 rv init
contains "the site's quota" "quota         home  3G of 50G" "$out"
printf 'account: lab\nquota_command: echo home; exit 1\n' >"$home/config.yaml"
exits 0 rv init
lacks "a quota command that fails" "quota" "$out"
exits 0 rv init --json
says "no quota" 'd["quota"] == []' "$work/out"
printf 'account: lab\n' >"$home/config.yaml"

# At a terminal the questions come here and there.
rm -r "$config"
cat >"$work/typist.py" <<'PY'
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:3])
answers = [(b"this machine): ", b"loop"), (b"ssh's default): ", b""), (b"~/.rv): ", sys.argv[3].encode()),
           (b"default) [lab]: ", b"other"), (b"caches [", b"")]
seen = b""
while select.select([fd], [], [], 30)[0]:
    try: got = os.read(fd, 4096)
    except OSError: break
    if not got: break
    seen += got
    if answers and answers[0][0] in seen:
        os.write(fd, answers.pop(0)[1] + b"\n")
sys.stdout.buffer.write(seen)
assert not answers, answers
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
laptop python3 "$work/typist.py" "$work/rv" init "$home" >"$work/typed" || fail "$(<"$work/typed")"
equal "host, as typed" "host: loop
cluster_home: $home" "$(<"$config")"
equal "account, as typed" "account: other" "$(<"$home/config.yaml")"
