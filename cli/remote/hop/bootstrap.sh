# shellcheck shell=sh disable=SC2016
# Runs on the login node under any login shell: rv joins the lines to one word in single quotes, so no line may contain
# a single quote, an exclamation mark or a comment behind code.
# A binary that another user could have put there is not started: -O is true for files of the caller, and root's count too.
# A group with the name of the user is the user's own.
#   $1 file name of this version   $2 rv's home there, or - for the default   $3 token   $4 what the binary gets
case $2 in
  -) h=${RV_HOME:-$HOME/.rv} ;;
  *) h=$2; RV_HOME=$h; export RV_HOME ;;
esac;
unreadable() { printf "\001rv %s unreadable %s (PATH is %s)\002" "$1" "$2" "$PATH"; exit 0; };
command -v find > /dev/null || unreadable "$3" "find: not found";
o=;
for f in "$h" "$h/bin" "$h/bin/$1"; do
  if [ -e "$f" ]; then [ -O "$f" ] || [ -n "$(find -L "$f" -prune -user 0)" ] || o=$f; fi;
done;
w=;
if [ -n "$(find -L "$h" "$h/bin" "$h/bin/$1" -prune -perm /022 2>/dev/null)" ]; then
  for f in "$h" "$h/bin" "$h/bin/$1"; do
    if [ -n "$(find -L "$f" -prune -perm -0002 2>/dev/null)" ]; then w=$f; fi;
    if [ -n "$(find -L "$f" -prune -perm -0020 2>/dev/null)" ]; then
      [ -n "$(find -L "$f" -prune -group "$(id -un)" 2>/dev/null)" ] || w=$f;
    fi;
  done;
fi;
case ":${RV_TRUSTED_FOLDERS:-}:" in
  *":$h:"*) o=; w= ;;
esac;
if [ -n "$o" ]; then printf "\001rv %s foreign %s\002" "$3" "$o"; exit 0; fi;
if [ -n "$w" ]; then printf "\001rv %s writable %s\002" "$3" "$w"; exit 0; fi;
if [ -x "$h/bin/$1" ]; then exec "$h/bin/$1" --hop "$4"; fi;
s=$(uname -s 2>&1) || unreadable "$3" "$s";
m=$(uname -m 2>&1) || unreadable "$3" "$m";
r=$(uname -r 2>&1) || unreadable "$3" "$r";
printf "\001rv %s missing %s %s %s\002" "$3" "$s" "$m" "$r"
