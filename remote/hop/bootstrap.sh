# shellcheck shell=sh disable=SC2016
# Runs on the login node, whatever the login shell: rv joins the lines to one word in single quotes, so no line may hold
# a single quote, an exclamation mark or a comment behind code.
# A binary that another user could have put there is not started: -O is true for files of the caller, and root's count too.
#   $1 file name of this version   $2 rv's home there, or - for the default   $3 token   $4 what the binary gets
case $2 in
  -) h=${RV_HOME:-$HOME/.rv} ;;
  *) h=$2; RV_HOME=$h; export RV_HOME ;;
esac;
o=;
for f in "$h" "$h/bin" "$h/bin/$1"; do
  if [ -e "$f" ]; then [ -O "$f" ] || [ -n "$(find -L "$f" -prune -user 0)" ] || o=$f; fi;
done;
case ":${RV_TRUSTED_FOLDERS:-}:" in
  *":$h:"*) o= ;;
esac;
if [ -n "$o" ]; then printf "\001rv %s foreign %s\002" "$3" "$o"; exit 0; fi;
if [ -x "$h/bin/$1" ]; then exec "$h/bin/$1" --hop "$4"; fi;
printf "\001rv %s missing %s %s %s\002" "$3" "$(uname -s)" "$(uname -m)" "$(uname -r)"
