# Serves one ssh connection to this node, on stdin and stdout: an sshd of the user inside the run's job, for one key, with the job's
# environment. Arguments: the file of the host key, the user's public key.
set -u
node=${SLURMD_NODENAME:-$(uname -n)}
sshd=$(PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin command -v sshd) || {
  echo "rv: node $node has no sshd" >&2
  exit 127
}
umask 077
mkdir -p "$RV_RUN_DIR/ssh"
folder=$(mktemp -d "$RV_RUN_DIR/ssh/XXXXXX") || exit 1
pipes=$folder
# End the process that still waits for a reader of the FIFO. A TERM just after the fork would run this shell's EXIT trap in it,
# and a process number kept from earlier may be another process's by now. disown: bash would report the KILL on stderr.
drop_writer() {
  local id
  for id in $(jobs -pr); do
    kill -KILL "$id"
    disown "$id"
  done 2>/dev/null
}
# ssh sends HUP when its connection has ended, when this shell exits too, and an exit in a signal's trap would end an EXIT trap that is
# running. So the signal traps clean up themselves, and a clean-up that has begun ignores further signals.
# shellcheck disable=SC2317 # the traps call it
clean_up() {
  trap '' TERM HUP INT
  drop_writer
  rm -rf "$folder" "$pipes"
}
trap clean_up EXIT
trap 'clean_up; exit 143' TERM HUP INT
printf '%s\n' "$2" >"$folder/key"
# The configuration holds the values of rv env. A process killed with its job can't remove a file, so sshd reads the
# configuration from a FIFO. Not every shared file system has FIFOs.
mkfifo "$pipes/config" 2>/dev/null || {
  pipes=$(mktemp -d "${TMPDIR:-/tmp}/rv-ssh-XXXXXX") && mkfifo "$pipes/config" || exit 1
}
offer() { printf '%s\n' "$1" >"$pipes/config" & }
read -r -d '' plain <<CONFIG
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
# A login starts with almost no environment; it gets that of the job.
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
config=$plain$'\n'SetEnv$variables
offer "$config"
# OpenSSH before 7.8 does not have SetEnv.
"$sshd" -t -f "$pipes/config" 2>/dev/null || config=$plain
drop_writer # in case sshd did not open the FIFO
offer "$config"
# sshd reports its own errors; the exit code of the connection concerns only client and server.
"$sshd" -e -i -f "$pipes/config"
exit 0
