# shellcheck shell=sh
# Runs on a host whose side did not say that it is clean: ends what has its mark in the environment, stopped or not, and
# removes its folder. See cli/remote/hop/bootstrap.sh for the form.
#   $1 the folder's token
d=${TMPDIR:-/tmp}/rv-host-$1;
i=0; p=;
while [ $i -lt 50 ]; do
  p=$(grep -lsaF -e "RV_HOST_FOLDER=$d" /proc/[0-9]*/environ | tr -dc "0-9\n");
  [ -n "$p" ] || break;
  for one in $p; do kill -KILL "$one" 2>/dev/null; done;
  i=$((i+1)); sleep 0.1;
done;
rm -rf "$d";
[ -z "$p" ] && [ -e "$d" ] || [ -n "$p" ] || printf "\001rv %s clean\002" "$1"
