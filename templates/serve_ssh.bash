# One connection of ssh to this node, on stdin and stdout: an sshd of the user's own inside the run's job, for one key, with the
# job's environment. Arguments: the host key's file, the user's public key.
set -u
node=${SLURMD_NODENAME:-$(uname -n)}
sshd=$(PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin command -v sshd) || {
  echo "rv: there is no sshd on $node" >&2
  exit 127
}
umask 077
mkdir -p "$RV_RUN_DIR/ssh"
folder=$(mktemp -d "$RV_RUN_DIR/ssh/XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' TERM HUP INT
printf '%s\n' "$2" >"$folder/key"
cat >"$folder/config" <<CONFIG
HostKey "$1"
AuthorizedKeysFile "$folder/key"
AuthenticationMethods publickey
PasswordAuthentication no
UsePAM no
StrictModes no
PermitRootLogin prohibit-password
PidFile none
PrintMotd no
PrintLastLog no
UseDNS no
LogLevel ERROR
AcceptEnv LANG LC_*
Subsystem sftp internal-sftp
CONFIG
# A login begins with next to no environment; the job's own is what the user comes for.
variables=""
for name in $(compgen -e); do
  case $name in
    HOME | LOGNAME | MAIL | OLDPWD | PWD | SHELL | SHLVL | SSH_* | TERM | USER | _) continue ;;
    *[!A-Za-z0-9_]*) continue ;;
  esac
  case ${!name} in
    *[$'\n"\\']*) ;;
    *) variables+=" \"$name=${!name}\"" ;;
  esac
done
cp "$folder/config" "$folder/plain"
echo "SetEnv$variables" >>"$folder/config"
# OpenSSH before 7.8 knows no SetEnv.
"$sshd" -t -f "$folder/config" 2>/dev/null || mv "$folder/plain" "$folder/config"
# It says what goes wrong; how the conversation ended is for its two sides.
"$sshd" -e -i -f "$folder/config"
exit 0
