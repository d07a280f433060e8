#!/usr/bin/env bash
# The warning reaches commands that are more than one process: a shell line with &&, a launcher that starts its worker in a new
# session and ends on the signal itself, a program that sets its title, and a daemon that does so.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

begin --checkpoint --time 3h --segment-time 30m --warn 8m -g 1 -t a40 --name line \
  "true && $here/app.sh 40 && echo the line goes on"
cat >launcher.sh <<'L'
#!/usr/bin/env bash
setsid "$@" &
wait $!
L
chmod +x launcher.sh
mkdir launched
(cd launched && begin --checkpoint --time 3h --segment-time 30m --warn 8m -g 1 -t a40 --name launcher ../launcher.sh "$here/app.sh" 40)
mkdir titled daemon
(cd titled && begin --checkpoint --time 3h --segment-time 30m --warn 8m -g 1 -t a40 --name titled python3 "$here/titled.py" 40)
(cd daemon && begin --checkpoint --time 3h --segment-time 30m --warn 8m -g 1 -t a40 --name daemon python3 "$here/titled.py" --daemon 40)
wait_real 200 over line || fail "not over: $(rv show line)"
wait_real 200 over launcher || fail "not over: $(rv show launcher)"
for name in titled daemon; do wait_real 200 over "$name" || fail "not over: $(rv show "$name")"; done
for name in line launcher titled daemon; do
  equal "$name: state" "done" "$(field "$name" "['state']")"
  contains "$name: reasons" time_limit "$(reasons "$name")"
  one_after_the_other "$name" || fail "$name: segments at once"
done
each_step_once steps.0 40 || fail "line: $(cut -d' ' -f1 steps.0 | tr '\n' ' ')"
each_step_once launched/steps.0 40 || fail "launcher: $(cut -d' ' -f1 launched/steps.0 | tr '\n' ' ')"
each_step_once titled/steps.0 40 || fail "titled: $(cut -d' ' -f1 titled/steps.0 | tr '\n' ' ')"
each_step_once daemon/steps.0 40 || fail "daemon: $(cut -d' ' -f1 daemon/steps.0 | tr '\n' ' ')"
contains "what follows && runs at the end" "the line goes on" "$(rv logs line)"
equal "and once" 1 "$(rv logs line | grep -c 'goes on')"
