# Starts a batch script as sbatch would: with Slurm's variables for its #SBATCH lines, in the folder and with the output files that they
# name. rv has written both into the run folder.
set -u
# Removes variables that rv sets for commands with several processes, and those from rv's own #SBATCH lines.
unset RANK LOCAL_RANK WORLD_SIZE NODE_RANK NNODES MASTER_ADDR MASTER_PORT SLURM_OPEN_MODE
rv_name={{name}}
for rv_variable in {{words:variables}}; do
  case $rv_variable in
    *=*) export "${rv_variable?}" ;;
    *) unset "$rv_variable" ;;
  esac
done
export SLURM_JOB_NAME="$rv_name"

# rv_path PATTERN: expands a file name pattern as sbatch does.
rv_path() {
  local rest=$1 path="" width value
  if [[ $rest == *\\* ]]; then
    printf '%s\n' "${rest//\\/}"
    return
  fi
  while [ -n "$rest" ]; do
    if [[ $rest =~ ^%([0-9]*)([%AaJjNnstuxb])(.*)$ ]]; then
      width=${BASH_REMATCH[1]:-0} rest=${BASH_REMATCH[3]}
      case ${BASH_REMATCH[2]} in
        %) value=% ;;
        A) value=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID} ;;
        a) value=${SLURM_ARRAY_TASK_ID:-4294967294} ;;
        b) value=$((${SLURM_ARRAY_TASK_ID:-4294967294} % 10)) ;;
        J | j) value=$SLURM_JOB_ID ;;
        N) value=$(uname -n) && value=${value%%.*} ;;
        n | t) value=0 ;;
        s) value=batch ;;
        u) value=${SLURM_JOB_USER:-$(id -un)} ;;
        x) value=$rv_name ;;
      esac
      [[ $value =~ ^[0-9]+$ && ${#width} -le 2 ]] && printf -v value '%0*d' "$width" "$value"
      path+=$value
    else
      path+=${rest:0:1} rest=${rest:1}
    fi
  done
  printf '%s\n' "$path"
}

# rv_show LOG PATTERN: gives the log a second name, a hard link. On another file system it is a symbolic link, which rv_keep_shown
# (outputs.inc.sh) replaces by a copy at the end. If the name is a link of the user's, the file that it points to is replaced; a link to a
# log is from an earlier run. A device, such as /dev/null, is not changed.
rv_show() {
  local path file runs
  path=$(rv_path "$2")
  file=$(readlink -f -- "$path") runs=$(readlink -f -- "${RV_RUN_DIR%/*}")
  if [ -L "$path" ] && [ -n "$file" ] && [[ $file != "$runs"/* ]]; then path=$file; fi
  if [ -e "$path" ] && [ ! -f "$path" ] && [ ! -d "$path" ]; then return; fi
  if [ ! -d "$path" ] && ln -fT -- "$1" "$path" 2>/dev/null; then return; fi
  [[ $path == /* ]] || path=$PWD/$path
  if [ ! -d "$path" ] && ln -sfnT -- "$1" "$path" 2>/dev/null; then
    printf '%s\n' "$1" "$path" >>"$RV_RUN_DIR/batch/shown.$SLURM_JOB_ID"
  else
    echo "rv: can't create $path; rv logs $RV_RUN_ID prints the output" >&2
  fi
}

{{?folder}}cd -- {{folder}} || exit 1
rv_show "$(readlink "/proc/$$/fd/1")" {{output}}
{{?error}}rv_show "$(readlink "/proc/$$/fd/2")" {{error}}
{{?input}}exec <"$(rv_path {{input}})" || exit 1
exec {{words:interpreter}} "$RV_RUN_DIR/batch/script" "$@"
