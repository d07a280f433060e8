#!/usr/bin/env bash
# templates/serve_ssh.bash with the real ssh and sshd: a session has the job's environment, and no file keeps its values, even
# after a killed connection.
# shellcheck disable=SC2016 # what expands in the session is in single quotes
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-serve-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
session=""
trap 'code=$(end_code "$?"); rm -f "$work/here"; drop_work "$code"; exit "$code"' EXIT
goes_on=yes
cd "$work"
mkdir -p run tmp /run/sshd
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f user
cat >proxy <<P
#!/bin/bash
exec env RV_RUN_DIR="$work/run" TMPDIR="$work/tmp" PLAIN=value-of-plain OTHER="two words" LINES=\$'a\nb' bash "$root/templates/serve_ssh.bash" "$work/host" "$(<user.pub)"
P
chmod +x proxy
connect() { ssh -F /dev/null -o "ProxyCommand=$work/proxy" -o StrictHostKeyChecking=no -o UserKnownHostsFile=known -o LogLevel=ERROR -i user node "$@"; }
nothing_left() { [ -z "$(find run/ssh tmp -mindepth 1)" ]; }

equal "the job's environment" "value-of-plain two words" "$(connect 'echo "$PLAIN $OTHER"')"
wait_for 10 nothing_left || fail "left: $(find run tmp)"
code=0
connect 'exit 9' || code=$?
equal "exit code" 9 "$code"

# While it lasts, and when it is killed.
connect "touch $work/here; while [ -e $work/here ]; do sleep 0.1; done" >/dev/null 2>&1 &
session=$!
wait_for 20 test -e here || fail "no session"
lacks "while it lasts" "value-of-plain" "$(find run tmp -type f -exec cat {} +)"
pid=$(pgrep -f "^bash $root/templates/serve_ssh.bash $work/host")
kill -KILL "$pid"
lacks "after SIGKILL" "value-of-plain" "$(find run tmp -type f -exec cat {} +)"
rm here
wait "$session" || true
rm -rf run/ssh

# A shared file system without FIFOs.
mkdir bin
printf '#!/bin/sh\ncase $1 in */run/*) exit 1 ;; esac\nexec /usr/bin/mkfifo "$@"\n' >bin/mkfifo
chmod +x bin/mkfifo
sed -i "s|^exec env|exec env PATH=$work/bin:\$PATH|" proxy
equal "without FIFOs" "value-of-plain" "$(connect 'echo "$PLAIN"')"
wait_for 10 nothing_left || fail "left: $(find run tmp)"

# An sshd without SetEnv.
cat >bin/sshd <<S
#!/bin/bash
[ "\$1" != -t ] || exit 1
exec /usr/sbin/sshd "\$@"
S
chmod +x bin/sshd
equal "without SetEnv" "none" "$(connect 'echo "${PLAIN:-none}"')"
wait_for 10 nothing_left || fail "left: $(find run tmp)"

# ssh sends HUP to its proxy when the connection ends. Signals that arrive while the shell cleans up do not stop it: `jobs`, which
# it asks first, takes a second here.
printf 'jobs() { sleep 1; builtin jobs "$@"; }\n' >slow
sed -i "s|^exec env|exec env BASH_ENV=$work/slow|" proxy
connect true
for ((signal = 0; signal < 15; signal++)); do
  pid=$(pgrep -o -f "^bash $root/templates/serve_ssh.bash $work/host") || break
  kill -HUP "$pid" 2>/dev/null || break
  sleep 0.1
done
wait_for 10 nothing_left || fail "left: $(find run tmp)"
