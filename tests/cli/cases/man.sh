#!/usr/bin/env bash
# Each command has a manual page with all of its options, and man prints it without warnings.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

pages=0
for command in rv $("$RV" --help | awk '/^[A-Z].*:$/ { group = $0 } /^  [a-z]+ / && group !~ /Usage|Examples|Options|General/ { print $1 }'); do
  exits 0 rv --man-page "$command"
  equal stderr "" "$err"
  cp "$work/out" "$work/$command.1"
  complaints=$(LC_ALL=C.UTF-8 MANROFFSEQ="" man --warnings -E UTF-8 -l -Tutf8 -Z "$work/$command.1" 2>&1 >/dev/null)
  [ -z "$complaints" ] || fail "man on $command: $complaints"
  grep -q '^.SH DESCRIPTION' "$work/$command.1" || fail "$command: the page has no description"
  grep -q '^.SH EXAMPLES' "$work/$command.1" || fail "$command: the page has no examples"
  LC_ALL=C.UTF-8 MANWIDTH=200 man -l "$work/$command.1" 2>/dev/null | col -b >"$work/page"
  words=("$command" --help)
  [ "$command" != rv ] || words=(--help)
  "$RV" "${words[@]}" | sed '/^Examples:/,$d' | grep -oE -- '(^|[ ,])--[a-z][a-z-]+' | tr -d ' ,' | sort -u >"$work/options"
  [ -s "$work/options" ] || fail "rv ${words[*]} names no option"
  while read -r option; do
    grep -qF -e "$option" "$work/page" || fail "$command: $option is not on its page"
  done <"$work/options"
  pages=$((pages + 1))
done
[ "$pages" -gt 25 ] || fail "only $pages pages"
exits 2 rv --man-page nosuch
contains stderr 'unknown command nosuch' "$err"
