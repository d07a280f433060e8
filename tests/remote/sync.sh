#!/usr/bin/env bash
# rv sync copies a project's files to the login node and back: any bytes in names, ignored and removed files, files that others
# made there, a dry run, changes on both sides, a login shell that prints, and no rsync on either end.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
host loop "$(user there)"
# A session starts with the login shell's output, which rsync by itself would read as its own.
echo 'echo "welcome to the login node"' >"$work/there/.bashrc"

project=$work/laptop/net
# inside FOLDER COMMAND…: on the laptop, below its home.
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
laptop git init -q net
sync() { inside net "$work/rv" -H loop sync "$@"; }
field() { python3 -c 'import json,sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1" <<<"$out"; }
names() { (cd "$1" && find . -not -type d -not -path './.git/*' -printf '%P\0' | sort -z | tr '\0' '|'); }

# shellcheck disable=SC2016
laptop bash -c 'cd net && mkdir -p src data build "a folder"
  echo main >src/main.py && echo run >run.sh && chmod 755 run.sh
  echo big >data/set.bin && echo x >build/x.o && echo log >a.log && echo keep >keep.log
  printf "build/\n*.log\n!keep.log\n" >.gitignore && printf "/data/\n" >.rvignore
  ln -s src/main.py link && ln -s /nowhere dangling
  echo s >"a folder/b c" && echo n >$'"'"'new\nline'"'"' && echo d >-dash && echo u >日本 && echo b >$'"'"'\xff\xfe'"'"'
  echo c >"#comment" && echo c >";semicolon" && echo q >"it'"'"'s \"q\" \$HOME * \\#012"
  git add -f data/set.bin src && git -c user.name=a -c user.email=a@b commit -qm first'

exits 2 sync pull
contains "nothing to pull" "nothing was pushed to loop" "$err"
exits 0 sync push --dry-run --json
equal "new, dry run" 15 "$(field new | python3 -c 'import ast,sys; print(len(ast.literal_eval(sys.stdin.read())))')"
[ ! -e "$work/there/.rv/projects" ] || fail "a dry run made something"
[ -z "$(find "$work/laptop/.rv" -type f 2>/dev/null)" ] || fail "a dry run wrote a list"
exits 0 sync push
contains "what was pushed" "15 new, " "$out"
files=$(echo "$work"/there/.rv/projects/net-*/files)
contains "where to" "to loop:$files" "$out"
equal "what is there" "$(names "$project" | sed 's/a\.log|//; s/build\/x\.o|//; s/data\/set\.bin|//')" "$(names "$files")"
for name in $'new\nline' $'\xff\xfe' '#comment' ';semicolon' "it's \"q\" \$HOME * \\#012" -dash; do
  cmp "$project/$name" "$files/$name"
done
equal "a link" src/main.py "$(readlink "$files/link")"
equal "a link to nothing" /nowhere "$(readlink "$files/dangling")"
equal "a program" 755 "$(stat -c %a "$files/run.sh")"
exits 0 sync push
contains "again" "nothing changed" "$out"

# rsync alone overlooks an edit that keeps the size and the second of the change.
laptop bash -c 'cd net && echo same >keep.log && touch -d "@1700000000.25" keep.log'
exits 0 sync push
laptop bash -c 'cd net && echo SAME >keep.log && touch -d "@1700000000.75" keep.log'
exits 0 sync push --dry-run
contains "an edit within a second, dry run" "changed  keep.log" "$out"
exits 0 sync push
contains "an edit within a second" "1 changed" "$out"
equal "an edit within a second" SAME "$(<"$files/keep.log")"
exits 0 sync push
contains "after it" "nothing changed" "$out"

# Files deleted here are deleted there, files made there stay; a folder replaces a file and the reverse.
setpriv --reuid "$(id -u "$(user there)")" bash -c "echo theirs >'$files/src/theirs'; echo theirs >'$files/new here'; mkdir '$files/linked' '$work/there/safe'"
rm -rf "$project/src" "$project/-dash" "$project/"$'new\nline'
laptop bash -c 'cd net && rm keep.log link && mkdir link && echo l >link/l && rm -r "a folder" && echo f >"a folder" && chmod 644 run.sh && echo more >>run.sh'
exits 0 sync push --dry-run
contains "gone, dry run" "gone     -dash" "$out"
[ -e "$files/-dash" ] || fail "a dry run deleted a file"
exits 0 sync push --json
equal gone "['-dash', 'a folder/b c', 'keep.log', 'new\\nline', 'src/main.py']" "$(field gone)"
equal changed "['run.sh']" "$(field changed)"
equal "what stays" theirs "$(<"$files/src/theirs")"
equal "a folder for a link" l "$(<"$files/link/l")"
equal "a file for a folder" f "$(<"$files/a folder")"
equal "no program any more" 644 "$(stat -c %a "$files/run.sh")"

# Back: new files and changed ones; not over what was edited here; not what git ignores.
theirs() { setpriv --reuid "$(id -u "$(user there)")" bash -c "cd '$files' && $1"; }
theirs 'echo result >result.txt; echo there >>run.sh; echo there >>";semicolon"; mkdir build; echo o >build/y.o; touch c.log; mkdir .git; touch .git/config.theirs'
laptop bash -c 'cd net && echo here >>";semicolon" && echo edited >>日本'
exits 125 sync pull
contains "what was kept" "since the last push: ;semicolon" "$err"
lacks "an edit that the cluster has nothing against" 日本 "$err"
contains "what came" "new      result.txt" "$out"
equal "changed there" there "$(tail -n 1 "$project/run.sh")"
equal "edited here" here "$(tail -n 1 "$project/;semicolon")"
equal "edited here only" edited "$(tail -n 1 "$project/日本")"
for name in build/y.o c.log .git/config.theirs; do
  [ ! -e "$project/$name" ] || fail "$name was pulled"
done
exits 0 sync pull --force
equal "with --force" there "$(tail -n 1 "$project/;semicolon")"
exits 0 sync pull
contains "nothing left" "nothing changed" "$out"
exits 0 sync push --json
equal "after the pull" "['日本']" "$(field changed)"

# A folder there where there is a file here, and the reverse: nothing here is removed.
theirs 'rm run.sh; mkdir run.sh; echo mine >run.sh/mine; echo x >"it is a folder here"'
laptop bash -c 'cd net && echo unpushed >>run.sh && mkdir "it is a folder here" && echo y >"it is a folder here/y"'
exits 125 sync pull
contains "a folder here" "a folder is in their place here: it is a folder here" "$err"
contains "a folder there" "also not pulled: run.sh/mine" "$err"
equal "the file that is edited here" unpushed "$(tail -n 1 "$project/run.sh")"
exits 125 sync pull --force
equal "with --force" mine "$(<"$project/run.sh/mine")"
equal "the folder here" y "$(<"$project/it is a folder here/y")"
rm -r "$project/it is a folder here"
exits 0 sync pull
exits 0 sync push

# A clone inside is one of git's own, with its own files.
laptop bash -c 'cd net && git init -q inner && echo i >inner/file && echo o >inner/out && echo out >inner/.gitignore'
exits 0 sync push --json
equal "a clone inside" "['inner/.gitignore', 'inner/file']" "$(field new)"

# A folder that git does not track, a folder in it; no repository.
laptop mkdir -p plain/sub other
exits 2 inside plain "$work/rv" -H loop sync push
contains "no project" "touch .rvignore" "$err"
laptop bash -c 'echo "*.tmp" >plain/.rvignore; echo 1 >plain/a.tmp; echo 2 >plain/sub/b'
exits 0 inside plain/sub "$work/rv" -H loop sync push
equal "without git" ".rvignore|sub/b|" "$(names "$work"/there/.rv/projects/plain-*/files)"
exits 2 inside plain "$work/rv" sync push
contains "no login node" "-H" "$err"
exits 119 inside plain "$work/rv" -H nowhere.invalid sync push
contains "no such host" "the address of nowhere.invalid is unknown" "$err"

# No rsync, here and there.
mkdir "$work/few" && ln -s "$(command -v git)" "$(command -v ssh)" "$work/few"
exits 125 inside plain env PATH="$work/few" "$work/rv" -H loop sync push
contains "none here" "install it" "$err"
for program in bash sh env cat uname find; do ln -s "$(command -v "$program")" "$work/few/$program"; done
echo "export PATH=$work/few" >"$work/there/.bashrc"
exits 125 inside plain "$work/rv" -H loop sync push
contains "none there" "rsync is not installed on" "$err"
rm "$work/there/.bashrc"

# Two pushes at once, and what rsync leaves unfinished is finished.
(inside plain "$work/rv" -H loop sync push >/dev/null) &
exits 0 inside plain "$work/rv" -H loop sync push
wait

# A connection that breaks during the transfer: data that has arrived is not sent again.
laptop bash -c 'head -c 100000000 /dev/urandom >plain/blob'
(inside plain "$work/rv" -H loop sync push 2>"$work/cut.err" >/dev/null || echo $? >"$work/cut.code") &
plain=$(echo "$work"/there/.rv/projects/plain-*/files)
arriving() { compgen -G "$plain/.blob.*" >/dev/null; }
wait_for 30 arriving || fail "nothing arrives"
pkill -STOP -U "$(id -u "$(user there)")" -x rsync
laptop pkill -KILL -u "$(user laptop)" -x ssh
wait
pkill -CONT -U "$(id -u "$(user there)")" -x rsync
equal "the connection's end" 119 "$(<"$work/cut.code")"
contains "what to do" "the same command transfers the rest" "$(<"$work/cut.err")"
wait_for 30 test -s "$plain/.rv-partial/blob" || fail "what has arrived is gone"
exits 0 inside plain "$work/rv" -H loop sync push
cmp "$work/laptop/plain/blob" "$plain/blob"
[ ! -e "$plain/.rv-partial" ] || fail "a part is left behind"

# Pushed on every change, a lost connection in between, Ctrl-C.
: >"$work/watch.err"
inside net "$work/rv" -H loop sync watch >"$work/watched" 2>"$work/watch.err" </dev/null &
has() { [ "$(cat "$files/$1" 2>/dev/null)" = "$2" ]; }
wait_for 30 grep -q 'pushing' "$work/watch.err" || fail "nothing is pushed: $(<"$work/watch.err")"
wait_for 30 test -s "$work/watched" || fail "the first push: $(<"$work/watch.err")"
laptop bash -c 'mkdir -p net/deep/er; sleep 0.5; echo 1 >net/deep/er/file; echo no >net/build/z.o'
wait_for 30 has deep/er/file 1 || fail "a new file in a new folder: $(<"$work/watch.err")"
rm "$project/deep/er/file"
wait_for 30 test ! -e "$files/deep/er/file" || fail "still there"
stop_sshd
laptop pkill -KILL -u "$(user laptop)" -x ssh
laptop bash -c 'echo 2 >net/deep/file'
wait_for 30 grep -q 'trying again' "$work/watch.err" || fail "no word of the lost connection"
/usr/sbin/sshd -f "$work/sshd/config" -E "$work/sshd/log"
wait_for 40 has deep/file 2 || fail "after the connection is back: $(<"$work/watch.err")"
# The project is away for a moment: the first edit after that counts.
mv "$project" "$project.away"
wait_for 30 grep -q 'trying again at every change' "$work/watch.err" || fail "no word of the folder: $(<"$work/watch.err")"
mv "$project.away" "$project"
laptop bash -c 'echo 3 >net/deep/file'
wait_for 20 has deep/file 3 || fail "the first edit is lost: $(<"$work/watch.err")"
watcher=$(pgrep -u "$(user laptop)" -f 'sync watch' | head -n 1)
kill -INT "$watcher"
code=0
wait %+ || code=$?
equal "Ctrl-C" 130 "$code"
