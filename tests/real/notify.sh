#!/usr/bin/env bash
# The job itself notifies the targets, with a signature, and a failure to notify never affects the run.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
  -keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
posts=$work/posts
python3 "$root/tests/real/https_server.py" "$work/cert.pem" "$work/key.pem" "$RV_HOME/notify/secret" "$posts" \
  "$work/port" &
server=$!
put_back() { kill "$server"; }
wait_for 30 [ -e "$work/port" ] || fail "the server does not start"
address=https://localhost:$(<"$work/port")

# post LINE EXPRESSION: of the Nth request.
post() { sed -n "$1p" "$posts" | python3 -c "import json,sys; d=json.load(sys.stdin); print($2)"; }

exits 2 rv run --notify ended true  # no target
contains "way out" "rv notify set" "$err"
exits 2 rv notify set bot --webhook http://localhost/
exits 2 rv notify set bot --webhook "$address/rv?key=hidden"
printf '%s\n' "$address/rv?key=hidden" >"$work/address"
rv notify set bot --webhook - --ca "$work/cert.pem" --on started,ended <"$work/address" || fail "not set from stdin"
equal "who may read the secret" 600 "$(stat -c %a "$RV_HOME/notify/secret")"
exits 0 rv notify test bot
equal "the test's signature" True "$(post 1 'd["signed"]')"

# The client is gone when the run ends; a watcher of the arguments on the node sees neither address nor secret.
mkdir "$work/bin"
cat >"$work/bin/mailbox" <<MAILBOX
cat >>"$work/mail"
MAILBOX
exits 0 rv notify set box --command "bash $work/bin/mailbox" --on ended
# shellcheck disable=SC2016  # expands in the job
rv run -t a6000 --time 5m --name sent 'for i in $(seq 20); do cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\0" " " >>seen; sleep 0.05; done; exit 3' >/dev/null 2>&1
wait_for 30 has_lines "$posts" 3 || fail "posts: $(cat "$posts")"
equal "events" "started ended" "$(post 2 'd["event"]') $(post 3 'd["event"]')"
equal "exit code" 3 "$(post 3 'd["body"]["exit_code"]')"
equal "whose" sent "$(post 3 'd["body"]["name"]')"
equal "signed" "True True" "$(post 2 'd["signed"]') $(post 3 'd["signed"]')"
wait_for 30 has_lines "$work/mail" 1 || fail "the command was not run"
contains "what the command got" '"event":"ended"' "$(<"$work/mail")"
secret=$(<"$RV_HOME/notify/secret")
[ -s seen ] || fail "nothing was watched"
! grep -qF -e "$secret" -e "key=hidden" seen || fail "the arguments show address or secret"
! grep -rqF -e "$secret" "$RV_HOME/runs" || fail "the run folder holds the secret"
! grep -rqF -e "key=hidden" "$RV_HOME/runs" || fail "the run folder holds the address"

# A target that fails and one that hangs do not affect the run; its folder has the errors.
exits 0 rv notify rm box
exits 0 rv notify set bot --webhook "$address/broken" --ca "$work/cert.pem" --on ended
exits 0 rv notify set unknown --webhook "$address/rv" --on ended
exits 0 rv notify set slow --webhook "$address/slow" --ca "$work/cert.pem" --on started
exits 5 rv run -f -t a6000 --time 5m --name unlucky 'exit 5'
failures() { rv show unlucky | grep -c notify_failed; }
all_failed() { [ "$(failures)" -eq 3 ]; }
wait_for 40 all_failed || fail "failures: $(rv show unlucky)"
contains "status" "500" "$(rv show unlucky | grep 'target=bot')"
contains "certificate" "certificate" "$(rv show unlucky | grep 'target=unknown')"
exits 125 rv notify test bot

# Services get messages in their own forms, with the event as a sentence and nothing in it that they would interpret.
exits 0 rv notify rm bot
exits 0 rv notify rm slow
exits 0 rv notify rm unknown
for service in slack teams discord ntfy; do
  rv notify set "$service" --webhook - --ca "$work/cert.pem" --on ended --as "$service" <<<"$address/$service" 2>/dev/null ||
    fail "$service is not set from stdin"
done
before=$(lines_in "$posts")
exits 3 rv run -f -t a6000 --time 5m --name sentence 'exit 3'
wait_for 30 has_lines "$posts" $((before + 4)) || fail "no messages: $(rv show sentence)"
# sent SERVICE EXPRESSION: of the message that this service got.
sent() { tail -n 4 "$posts" | python3 -c "import json,sys; d=[m for m in map(json.loads, sys.stdin) if m['path'] == '/$1'][0]; b=d['body']; print($2)"; }
sentence=$(rv show sentence --json | python3 -c 'import json, sys
d = json.load(sys.stdin)
print("sentence (run %s) failed with exit code 3 on %s (job %s)" % (d["id"], d["nodes"], d["candidates"][0]["job_id"]))')
equal "Slack" "$sentence" "$(sent slack 'b["text"] if list(b) == ["text"] else b')"
equal "Discord" "$sentence" "$(sent discord 'b["content"] if b["allowed_mentions"] == {"parse": []} else b')"
equal "Teams" "$sentence" "$(sent teams 'b["attachments"][0]["content"]["body"][0]["text"]')"
equal "Teams, a card" "message application/vnd.microsoft.card.adaptive AdaptiveCard" \
  "$(sent teams 'b["type"], b["attachments"][0]["contentType"], b["attachments"][0]["content"]["type"]' | tr -d "(),'")"
equal "ntfy" "$sentence" "$(sent ntfy 'b')"
equal "ntfy's title" "rv: ended text/plain" "$(sent ntfy 'd["title"], d["type"]' | tr -d "(),'")"
equal "signed" "True True True True" "$(for service in slack teams discord ntfy; do sent "$service" 'd["signed"]'; done | tr '\n' ' ' | sed 's/ $//')"
exits 0 rv notify test slack
for service in slack teams discord ntfy; do exits 0 rv notify rm "$service"; done

# --notify selects for one run; a node without curl is recorded in the run's events.
exits 0 rv notify set bot --webhook "$address/rv" --ca "$work/cert.pem"
before=$(lines_in "$posts")
exits 0 rv run -f -t a6000 --time 5m --name quiet --notify none true
rv run -t a6000 --time 5m --name bare --notify started true >/dev/null 2>&1
wait_for 30 has_lines "$posts" $((before + 1)) || fail "no notification: $(rv show bare)"
equal "of the start alone" started "$(post $((before + 1)) 'd["event"]')"

# A run ends once: with its last attempt, and with the last element of its array.
exits 0 rv notify set bot --webhook "$address/rv" --ca "$work/cert.pem" --on started,ended
before=$(lines_in "$posts")
rv run -g 0 --time 5m --name twice --retries 1 'echo x >>tries; exit 4' >/dev/null 2>&1
wait_for 60 has_lines "$posts" $((before + 2)) || fail "no end of the second attempt: $(rv show twice)"
equal "both attempts" 2 "$(lines_in tries)"
equal "one end" "started None ended 2" "$(post $((before + 1)) 'd["event"], d["body"].get("attempt")' | tr -d "(),'") $(post $((before + 2)) 'd["event"], d["body"].get("attempt")' | tr -d "(),'")"
# shellcheck disable=SC2016 # expands in the job
rv run -g 0 --time 5m --name many --array 1-3 'exit $((RV_ARRAY_INDEX - 1))' >/dev/null 2>&1
wait_for 60 has_lines "$posts" $((before + 4)) || fail "no end of the array: $(rv show many)"
equal "one end of the array" "ended 1 3 2" "$(post $((before + 4)) 'd["event"], d["body"]["exit_code"], d["body"]["elements"], d["body"]["failed"]' | tr -d "(),'")"
sleep 2
equal "messages" $((before + 4)) "$(lines_in "$posts")"

# What Slurm puts back into the queue has not ended: a run with --requeue, and an element of an array.
exits 0 rv notify set bot --webhook "$address/rv" --ca "$work/cert.pem" --on ended
before=$(lines_in "$posts")
# shellcheck disable=SC2016 # expands in the job
rv run -g 0 --requeue --time 5m --name back 'echo x >>back; [ "$(wc -l <back)" = 2 ] || sleep 300' >/dev/null 2>&1
# shellcheck disable=SC2016 # expands in the job
rv run -g 0 --requeue --time 5m --name parts --array 0-1 \
  'echo x >>part.$RV_ARRAY_INDEX; [ "$RV_ARRAY_INDEX" = 0 ] || [ "$(wc -l <part.1)" = 2 ] || sleep 300' >/dev/null 2>&1
wait_for 30 has_lines back 1 || fail "does not start: $(rv show back)"
wait_for 30 has_lines part.1 1 || fail "does not start: $(rv show parts)"
jobs="$(field back "['candidates'][0]['job_id']") $(field parts "['candidates'][0]['job_id']")_1"
for job in $jobs; do scontrol requeue "$job"; done
sleep 2 # it must not start in the second in which it was killed (requeue.sh)
pending() { [ "$(squeue -h -r -j "$1" -o %T)" = PENDING ] && scontrol update jobid="$1" starttime=now; }
for job in $jobs; do wait_for 30 pending "$job" || fail "not requeued: $(squeue)"; done
wait_for 60 has_lines "$posts" $((before + 2)) || fail "no end: $(rv show back; rv show parts)"
equal "one good end of each" "back 0 parts 0" "$(for n in 1 2; do post $((before + n)) 'd["body"]["name"], d["body"]["exit_code"]'; done | tr -d "(),'" | sort | paste -sd' ')"
sleep 2
equal "messages" $((before + 2)) "$(lines_in "$posts")"
exits 0 rv notify set bot --webhook "$address/rv" --ca "$work/cert.pem"

mkdir "$work/bare"
ln -s /usr/bin/* "$work/bare/"
rm "$work/bare/curl"
exits 0 env PATH="$work/bare" "$RV" run -f -t a6000 --time 5m --name poor --notify ended true
said() { rv show poor | grep -q "this node has no curl"; }
wait_for 20 said || fail "not said: $(rv show poor)"

# Targets are notified when an allocation is ready and when it is released.
exits 0 rv notify set bot --webhook "$address/rv" --ca "$work/cert.pem"
before=$(lines_in "$posts")
exits 0 rv up -t a6000 --time 5m --name held --detach
wait_for 20 has_lines "$posts" $((before + 1)) || fail "no notification of the allocation"
exits 0 rv stop held
wait_for 30 has_lines "$posts" $((before + 2)) || fail "no notification of the release"
