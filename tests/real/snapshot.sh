#!/usr/bin/env bash
# rv show names the code that a run started with. With --snapshot later edits change nothing for a run that waits or starts
# again, and what git ignores is the user's own.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

mkdir net other && cd net
git init -q -b main . && git config user.name ann && git config user.email ann@example.org
mkdir src data results empty
echo one >src/model && echo 'data/
results
*.tmp' >.gitignore && echo set >data/set && ln -s ../../other src/other && echo there >../other/file
echo old >tracked && echo same >moved && git add . && git commit -qm first && commit=$(git rev-parse HEAD)
git mv moved elsewhere && echo changed >tracked && echo new >untracked && echo big >src/big.tmp

exits 0 rv run -f -g 1 --time 5m --name plain cat tracked
exits 0 rv show plain
contains "the code" "code     ${commit:0:12} on main, 2 files changed, 1 not tracked (rv show --diff $(field plain "['id']"))" "$out"
exits 0 rv show --diff plain
contains "the diff" $'-old\n+changed' "$out"
exits 0 rv show --json plain
says "the code as JSON" '(d["code"]["commit"], d["code"]["branch"], d["code"]["changed"], d["code"]["root"]) == ("'"$commit"'", "main", 2, "'"$PWD"'")' "$work/out"

snapshots() { find "$RV_HOME"/projects -mindepth 3 -maxdepth 3 -type d 2>/dev/null | wc -l; }
exits 0 rv run --snapshot -n -g 1 cat tracked
exits 120 rv run --snapshot -g 640 --time 5m cat tracked
exits 2 rv run --snapshot -g 1 --time 5m ./nothing
equal "previews and refusals leave nothing" 0 "$(snapshots)"
equal "the folder stays" "$work/project/net" "$PWD"

# The edits come while the command waits for "go": it reads its files later.
cat >src/run.sh <<'S'
#!/bin/bash
until [ -e "$HOLD" ]; do sleep 0.1; done
cat model ../tracked ../untracked ../data/set other/file big.tmp
echo made >../results/made
echo own >own
pwd
S
chmod 755 src/run.sh
cd src
exits 0 rv run --snapshot -g 1 --time 5m --name frozen "HOLD=$work/go ./run.sh"
id=$out
cd .. && echo two >src/model && echo three >tracked && rm untracked src/run.sh && touch "$work/go"
exits 0 rv wait frozen
exits 0 rv logs frozen
seen=$out
equal "what it saw" $'one\nchanged\nnew\nset\nthere\nbig' "$(head -n6 <<<"$seen")"
[[ "$(tail -n1 <<<"$seen")" == "$RV_HOME"/projects/net-*/snapshots/*/src ]] || fail "it ran in $(tail -n1 <<<"$seen")"
equal "results come home" made "$(<results/made)"
[ ! -e src/own ] || fail "a new file came into the project"
exits 0 rv show frozen
contains "its code" "code     ${commit:0:12} on main, 2 files changed" "$out"
exits 0 rv rerun frozen -f
contains "again, with the same files" $'one\nchanged\nnew' "$out"
exits 0 rv show
contains "the code of the second" "code     ${commit:0:12} on main, 2 files changed" "$out"

# rv gc removes it with the last run; what the command left in it has gone with the run.
equal "one for both" 1 "$(snapshots)"
removed() { rv gc --older-than 1s >/dev/null && [ "$(snapshots)" = 0 ]; }
wait_for 20 removed || fail "a snapshot stays: $(rv gc --older-than 1s 2>&1)"
equal "rv gc went through no link" $'data/set\nresults/made' "$(ls data/set results/made)"
equal "nothing beside it" "" "$(find "$RV_HOME/projects" -name '*.code.*' -o -name '*.list')"

# What can't be copied.
exits 122 rv show --diff "$id"
cd .. && exits 2 rv run --snapshot -g 1 --time 5m true
contains "no project" "is not in a project" "$err"
contains "the way out" "touch .rvignore" "$err"
cd net && truncate -s 2G huge
exits 2 rv run --snapshot -g 1 --time 5m true
contains "too large" "has 2048 MiB of files, and at most 1024 MiB are copied" "$err"
echo huge >.rvignore
exits 0 rv run --snapshot -f -g 1 --time 5m 'stat -Lc %s huge'
contains "a link to it" 2147483648 "$out"
# A filter of the project's configuration is not executed.
git config filter.own.clean "touch $work/filtered; cat" && echo 'tracked filter=own' >.gitattributes && echo four >tracked
exits 0 rv run -f -g 1 --time 5m --name filtered true
exits 0 rv show filtered
contains "changed" "code     ${commit:0:12} on main, 3 files changed, 3 not tracked" "$out"
[ ! -e "$work/filtered" ] || fail "git executed a filter"
