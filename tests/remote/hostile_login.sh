#!/usr/bin/env bash
# A hostile login node can't make the laptop open ports that were not requested, show other pages than its own on loopback, or
# write anything but names into ssh's configuration.
# shellcheck source=tests/remote/lib.sh disable=SC2016 # what ssh would expand stands in single quotes
source "$(dirname "$0")/lib.sh"

mkdir "$work/answers"
cp "$(dirname "$0")/hostile_login.py" "$work"
start_sshd "UseDNS no" "ForceCommand python3 $work/hostile_login.py $work/answers"
make_laptop
make_user there /bin/bash
host evil "$(user there)"

answers() { printf '%s' "$2" >"$work/answers/$1"; }
answers extra ""
answers says ""
answers errors ""
# open_ports: those on which a process of the laptop listens.
open_ports() {
  local pid
  for pid in $(pgrep -U "$(id -u "$(user laptop)")" -x rv); do
    ss -Hltnp | grep "pid=$pid," || true
  done | awk '{print $4}' | sort
}
read -r first second third <<<"$(free_ports 3 | tr '\n' ' ')"

# rv forward: exactly the ports that were named, in that order.
hello() { answers hello "{\"run\":\"${2:-k3f9x2}\",\"name\":\"x\",\"targets\":[$1],\"fault\":null}"; }
hello PORTS
exits 0 rv -H evil forward "$first"
contains "an honest answer" "127.0.0.1:$first is port $first of n1" "$out"
equal "an honest answer" "127.0.0.1:$first" "$(open_ports)"
exits 0 rv forward --stop all
refused_forward() {
  hello "$2" "${3:-}"
  exits 119 rv -H evil forward "$first"
  contains "$1" "the login node's answer" "$err"
  equal "$1: open" "" "$(open_ports)"
}
refused_forward "more ports" "PORTS,{\"node\":\"n1\",\"port\":$second}"
refused_forward "another port" "{\"node\":\"n1\",\"port\":$second}"
refused_forward "no port" ""
refused_forward "a node with a blank" "{\"node\":\"n1 -x\",\"port\":$first}"
refused_forward "a node that is an option" "{\"node\":\"-oProxyCommand=x\",\"port\":$first}"
refused_forward "a run that is a path" PORTS "../../x"
hello "PORTS,{\"node\":\"n1\",\"port\":$third}"
exits 119 rv -H evil forward "$first:$second" "$second:$first"
hello "{\"node\":\"n1\",\"port\":$second},{\"node\":\"n1\",\"port\":$first}"
exits 119 rv -H evil forward "$first" "$second"
contains "another order" "the login node's answer" "$err"
equal "another order: open" "" "$(open_ports)"

# rv forward --auto: a limited number of unprivileged ports, each printed.
many=$(python3 -c 'print(",".join(f"{{\"node\":\"n1\",\"port\":{p}}}" for p in range(20000, 20200)))')
hello "$many"
exits 119 rv -H evil forward --auto
contains "200 ports" "the login node's answer" "$err"
equal "200 ports: open" "" "$(open_ports)"
hello "{\"node\":\"n1\",\"port\":22},{\"node\":\"n1\",\"port\":$second}"
exits 0 rv -H evil forward --auto
equal "as many as are said" "$(open_ports)" "$(grep -o '127\.0\.0\.1:[0-9]*' <<<"$out" | sort)"
equal "two" 2 "$(open_ports | wc -l)"
lacks "a privileged one" "127.0.0.1:22 " "$out "
exits 0 rv forward --stop all

# Unrequested frames open nothing and end nothing.
hello PORTS
answers extra "c 1 127.0.0.1 $second
c 1 ../../etc/passwd 99999999999
d 7 xxxxx
t 1 99999999999999999999
"
exits 0 rv -H evil forward "$first"
equal "open frames" "127.0.0.1:$first" "$(open_ports)"
exits 0 rv forward --stop all
answers extra ""

# Announcements: what rv jupyter opens is one page at its own port.
cat >"$work/laptop/browser" <<'B'
#!/bin/sh
cp "$1" "$HOME/shown.html"
B
chmod 755 "$work/laptop/browser"
jupyter() {
  rm -f "$work/laptop/shown.html"
  answers says "MARK(announce $1)"
  runs laptop env BROWSER="$work/laptop/browser" "$work/rv" -H evil jupyter --browser --detach -g 1 --time 10m
  laptop "$work/rv" forward --stop all >"$work/stopped" 2>&1 || true
}
announcement() { echo "{\"run\":\"k3f9x2\",\"node\":\"\",\"ports\":[[0,$first]${2:-}],\"page\":\"$1\",\"secure\":false}"; }
shown() { [ -e "$work/laptop/shown.html" ]; }
jupyter "$(announcement '/lab?token=0a1b')"
matches "an honest page" '^http://127\.0\.0\.1:[0-9]+/lab\?token=0a1b$' "$out"
wait_for 10 shown || fail "no browser"
contains "to the page" 'url=http://127.0.0.1:' "$(<"$work/laptop/shown.html")"
for page in '@evil.org/' '//evil.org/' '/\"><script>alert(1)</script>' '/lab?token=\"><script>' ':1@evil.org/' 'javascript:alert(1)' \
  '/a b' '/a\nb' '/x//y' '/lab?token=a&b=c' '/lab#x' '/lab;url=http://evil.org' '.evil.org/'; do
  jupyter "$(announcement "$page")"
  contains "page $page" "invalid page" "$err"
  equal "page $page: said" "" "$out"
  ! shown || fail "page $page: the browser is shown $(<"$work/laptop/shown.html")"
done
jupyter "$(announcement /lab ",[$second,$second]")"
contains "a page and another port" "a port that was not asked for" "$err"
jupyter "$(announcement /lab | sed "s/\[0,/[$second,/")"
contains "a local port of its own choice" "a port that was not asked for" "$err"

# rv up opens the page of --open, and nothing without --open.
up() {
  answers says "MARK(announce {\"run\":\"k3f9x2\",\"node\":\"\",\"ports\":[$1],\"page\":\"$2\",\"secure\":false})"
  shift 2
  runs rv -H evil up -g 1 --time 10m "$@" --run true
}
up "[$first,80]" "" --open "$first:80"
contains "what was named" "127.0.0.1:$first is port 80" "$err"
up "[$first,80],[$second,22]" "" --open "$first:80"
contains "one more" "a port that was not asked for" "$err"
lacks "one more" "is port" "$err"
up "[$first,22]" "" --open "$first:80"
contains "another" "a port that was not asked for" "$err"
up "[$first,80]" "/x" --open "$first:80"
contains "a page" "a page that was not asked for" "$err"
up "[$first,80]" ""
lacks "without --open" "is port" "$err"

# A terminal here and none there: escapes of the login node do nothing, whether the command is followed or not. Its rv may
# redraw its own lines. A file, a pipe and --raw get every byte.
escapes=$(printf 'clear\033[2J title\033]0;x\007 csi\302\2332J raw\2332J up\033[2A\033[J\033[K end')
answers says "$escapes"
answers errors "stderr: $escapes"
evil_on_terminal() { runs laptop python3 "$work/on_terminal.py" '[]' sh -c "'$work/rv' -H evil $* </dev/null"; }
cp "$(dirname "$0")/../on_terminal.py" "$work"
harmless=$(printf 'clear title?]0;x? csi?2J raw?2J up\033[2A\033[J\033[K end')
evil_on_terminal ps
contains "stdout" "$harmless" "$out"
contains "stderr" "stderr: $harmless" "$out"
part=$(printf 'part\033]0;x\007\033[2J end')
answers says "MARK(output one)MARK(log out ${#part} 0 n1)$part"
evil_on_terminal logs -f k3f9x2
contains "a log" "part?]0;x? end" "$out"
contains "stderr beside a log" "stderr: $harmless" "$out"
evil_on_terminal logs -f --raw k3f9x2
contains "a log, raw" "$part" "$out"
contains "stderr, raw" "stderr: $escapes" "$out"
answers says "$escapes"
exits 0 rv -H evil ps </dev/null
equal "a file" "$escapes" "$out"
equal "a file, stderr" "stderr: $escapes" "$err"
answers errors ""

# rv ssh --config.
file=$work/laptop/.rv/ssh/config
answers says '{"user":"ann","runs":[["k3f9x2","train"],["m4f9x2","two words"],["p4f9x2","k3f9x2"],["q4f9x2","*"]]}'
exits 0 rv -H evil ssh --config
equal "entries" "Host rv-k3f9x2 rv-train
Host rv-m4f9x2
Host rv-p4f9x2
Host rv-q4f9x2" "$(grep '^Host' "$file")"
refused_config() {
  local before
  before=$(<"$file")
  answers says "$2"
  exits 125 rv -H evil ssh --config
  contains "$1" "$3" "$err"
  equal "$1: the file" "$before" "$(<"$file")"
}
refused_config "a user with lines" '{"user":"ann\nHost *\n  ProxyCommand touch /tmp/x","runs":[["k3f9x2","x"]]}' "invalid user name"
refused_config "a user with a blank" '{"user":"ann ProxyCommand=x","runs":[["k3f9x2","x"]]}' "invalid user name"
refused_config "an option" '{"user":"-oProxyCommand=x","runs":[["k3f9x2","x"]]}' "invalid user name"
refused_config "tokens of ssh" '{"user":"%u${HOME}","runs":[["k3f9x2","x"]]}' "invalid user name"
refused_config "an ID with lines" '{"user":"ann","runs":[["k3\n  ProxyCommand x","x"]]}' "invalid run ID"
refused_config "an ID that is a pattern" '{"user":"ann","runs":[["*","x"]]}' "invalid run ID"
refused_config "an ID that is an option" '{"user":"ann","runs":[["-x","x"]]}' "invalid run ID"
refused_config "a name with escapes" '{"user":"ann","runs":[["k3f9x2","\u001b]0;x\u0007"]]}' "invalid run name"
