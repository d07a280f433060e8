# Starts a batch script as sbatch would have started it: with Slurm's variables for what its #SBATCH lines say, in its folder, and
# with its output where they want it. rv wrote both into the run's folder.
set -u
# What rv sets for commands that it starts in every process, and what its own #SBATCH lines set.
unset RANK LOCAL_RANK WORLD_SIZE NODE_RANK NNODES MASTER_ADDR MASTER_PORT SLURM_OPEN_MODE
rv_name={{name}}
for rv_variable in {{words:variables}}; do
  case $rv_variable in
    *=*) export "${rv_variable?}" ;;
    *) unset "$rv_variable" ;;
  esac
done
export SLURM_JOB_NAME="$rv_name"

# rv_path PATTERN: a file's name, as Slurm makes it of sbatch's pattern.
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

# rv_show LOG PATTERN: the log's second name. It is another link to the same file. On another file system it is a symbolic link,
# which rv_keep_shown (outputs.inc.sh) makes a file of its own at the end. A link of the user's stays, and the file that it names is
# replaced; one to a log is an earlier run's. A device, such as /dev/null, stays what it is.
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
