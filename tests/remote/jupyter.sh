#!/usr/bin/env bash
# rv jupyter shows Jupyter of a run's node on the laptop and on the login node, only with its token, which other users can't
# read. Ctrl-C ends both, the end of the run closes the port, and rv up --open does the same for other servers.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
make_user stranger /bin/bash
exits 0 rv -H loop exec true

nothing_listens() { [ -z "$(ss -Hltn "sport = :$1")" ]; }
listens() { ! nothing_listens "$1"; }
status() { laptop curl -s -o /dev/null -w '%{http_code}' "$@"; }
rv_process() { pgrep -o -U "$(id -u "$(user laptop)")" -f -- "rv -H loop jupyter $1"; }
of_login() { (eval "$environment" && cd "$work" && env HOME="$work" RV_HOME="$work/home" RV_SITE=/dev/null "$@"); }
state() { rv -H loop show "$1" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["state"])'; }
# jupyter OPTION…: in the background, until its address is there; $url and $port are the page's, $here is the process.
jupyter() {
  rm -f "$work/url"
  laptop "$work/rv" -H loop jupyter "$@" >"$work/url" 2>"$work/said" &
  shown=$!
  wait_for 60 has_url || fail "no address: $(<"$work/said")"
  url=$(<"$work/url")
  port=${url#http://127.0.0.1:} port=${port%%/*}
  here=$(rv_process "$1")
}
has_url() { [ -s "$work/url" ]; }
ended() {
  code=0
  wait "$shown" || code=$?
}

# A stranger has the usual port; the server takes another.
env -i PATH=/usr/bin:/bin setpriv --reuid "$(id -u "$(user stranger)")" --regid "$(id -g "$(user stranger)")" \
  --clear-groups python3 -m http.server 8888 --bind 127.0.0.1 --directory /nowhere >/dev/null 2>&1 &
stranger=$!
wait_for 30 listens 8888 || fail "the stranger does not listen"
local=$(free_port)
jupyter --port "$local" -t a40 -g 1 --time 10m --name desk
equal "the address" "$local" "$port"
equal "one line" 1 "$(wc -l <"$work/url")"
token=${url##*token=}
equal "a token of rv's" 32 "${#token}"
equal "with the token" 200 "$(status -L -c "$work/laptop/jar" "$url")"
equal "in a header" 200 "$(status -H "Authorization: token $token" "http://127.0.0.1:$port/api/contents")"
equal "without a token" 403 "$(status "http://127.0.0.1:$port/api/contents")"
equal "with another" 403 "$(status -H "Authorization: token ${token//[0-9]/f}" "http://127.0.0.1:$port/api/contents")"
contains "the page is Jupyter's" Jupyter "$(laptop curl -s -L -b "$work/laptop/jar" "$url")"
contains "what is held" "is yours for 10m" "$(<"$work/said")"
kill "$stranger"

# The token is not in arguments, and only in files that only the user can read.
! grep -lzF "$token" /proc/[0-9]*/cmdline 2>/dev/null || fail "the token stands in arguments"
grep -rlF "$token" "$work/home" "$work/laptop/.rv" >"$work/with_token" || true
[ -s "$work/with_token" ] || fail "no file holds the token: this test looks in the wrong place"
while read -r file; do
  # Jupyter's own files are in a folder that only the user can enter.
  case $file in
    */jupyter/runtime/*) equal "mode of the folder of $file" 700 "$(stat -c %a "${file%/*}")" ;;
    *) equal "mode of $file" 600 "$(stat -c %a "$file")" ;;
  esac
done <"$work/with_token"

# Ctrl-C ends the server and the port.
kill -INT "$here"
ended
equal "Ctrl-C" 130 "$code"
contains "Ctrl-C" "released run" "$(<"$work/said")"
contains "Ctrl-C" "127.0.0.1:$port is closed" "$(<"$work/said")"
nothing_listens "$port" || fail "the port is still open"
over() { [[ $(state desk) != running && $(state desk) != ending ]]; }
wait_for 30 over || fail "the run is not over: $(state desk)"

# Left running; polling it again changes nothing.
exits 0 rv -H loop jupyter --detach -t a40 -g 1 --time 10m --name left --json
left=$(python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["run"], d["local_port"], d["url"])' <<<"$out")
read -r id port url <<<"$left"
equal "detached" 200 "$(status -L -c "$work/laptop/jar" "$url")"
jupyter --attach "$id"
[ "$url" != "$(cut -d' ' -f3 <<<"$left")" ] || fail "two forwards at one port"
equal "attached" 200 "$(status -L -c "$work/laptop/jar2" "$url")"
kill -INT "$here"
ended
equal "the run goes on" running "$(state "$id")"

# The run's end is the end of both.
jupyter --attach "$id"
exits 0 rv -H loop stop "$id"
ended
equal "ended elsewhere" 123 "$code"
contains "says so" "run $id ended" "$(<"$work/said")"
contains "says so" "127.0.0.1:$port is closed" "$(<"$work/said")"
none_left() { [ "$(find "$work/laptop/.rv/forwards" -name '*.json' | wc -l)" -eq 0 ]; }
wait_for 30 none_left || fail "forwards are left: $(rv forward --list)"

# On the login node.
of_login "$work/rv" jupyter --detach -t a40 -g 1 --time 10m --name there >"$work/url"
equal "on the login node" 200 "$(curl -s -L -o /dev/null -w '%{http_code}' -c "$work/jar" "$(<"$work/url")")"
exits 0 rv -H loop stop there

# No Jupyter.
mkdir "$work/plain"
ln -s /usr/bin/* "$work/plain/"
rm "$work/plain"/jupyter*
code=0
# shellcheck disable=SC2123 # another PATH is what this is about
(PATH=$work/plain && eval "$environment" && cd "$work" && env HOME="$work" RV_HOME="$work/home" RV_SITE=/dev/null \
  "$work/rv" jupyter -t a40 -g 1 --time 10m --name none) >"$work/out" 2>"$work/said" || code=$?
equal "no Jupyter" 125 "$code"
contains "no Jupyter" "Jupyter was not found for run" "$(<"$work/said")"
contains "the way out" "add jupyterlab to the project's dependencies" "$(<"$work/said")"
exits 122 rv -H loop jupyter --attach none-such
exits 2 rv -H loop jupyter -g 2 --nodes 2 --time 10m
exits 0 rv -H loop run -t a40 -g 1 --time 10m --name plain sleep 300
exits 122 rv -H loop jupyter --attach plain
contains "another run" "was not started by rv jupyter" "$err"
exits 0 rv -H loop stop plain

# Any server, started in a shell.
cat >"$work/shell.py" <<'PY'
import os, pty, select, sys, time, urllib.request
local, remote = sys.argv[1:3]
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[3], sys.argv[3:])
seen = b""
def until(part, seconds=40):
    global seen
    end = time.time() + seconds
    while part not in seen:
        assert select.select([fd], [], [], max(0, end - time.time()))[0], seen
        got = os.read(fd, 4096)
        assert got, seen
        seen += got
until(f"127.0.0.1:{local} is port {remote} of udc-".encode())
time.sleep(1)
os.write(fd, f"cd /; mkdir $RV_OUTPUT_DIR/w; echo $((40+2)) > $RV_OUTPUT_DIR/w/answer; python3 -m http.server {remote} --bind 127.0.0.1 --directory $RV_OUTPUT_DIR/w &\n".encode())
until(b"Serving HTTP")
assert urllib.request.urlopen(f"http://127.0.0.1:{local}/answer", timeout=20).read() == b"42\n"
os.write(fd, b"kill %1; exit\n")
until(f"127.0.0.1:{local} is closed".encode())
os.waitpid(pid, 0)
PY
local=$(free_port) remote=$(free_port)
laptop python3 "$work/shell.py" "$local" "$remote" "$work/rv" -H loop up -t a40 -g 1 --time 10m --open "$local:$remote"
nothing_listens "$local" || fail "the shell is left, and the port is open"
mkdir "$work/page"
rv -H loop up -t a40 -g 1 --time 10m --open "$local:$remote" --run "cd $work/page
  timeout 60 python3 -m http.server $remote --bind 127.0.0.1 &
  until [ -e $work/seen ]; do sleep 0.2; done; kill %1; exit 7" >"$work/out" 2>"$work/said" &
shown=$!
served() { [ "$(status "http://127.0.0.1:$local")" = 200 ]; }
wait_for 40 served || fail "with a command: $(<"$work/said")"
touch "$work/seen"
ended
equal "with a command" 7 "$code"
contains "with a command" "127.0.0.1:$local is port $remote of udc-" "$(<"$work/said")"
contains "with a command" "127.0.0.1:$local is closed" "$(<"$work/said")"
exits 2 rv -H loop up -t a40 -g 1 --time 10m --open "$local:$remote" --detach
contains "nobody waits" "--open needs an rv that waits" "$err"
exits 2 rv -H loop up -t a40 -g 1 --time 10m --open train
python3 -m http.server "$local" --bind 127.0.0.1 --directory /nowhere >/dev/null 2>&1 &
taken=$!
wait_for 30 listens "$local" || fail "does not listen"
exits 2 rv -H loop up -t a40 -g 1 --time 10m --open "$local:$remote" --run true
contains "taken here" "port $local of this machine is in use" "$err"
kill "$taken"
