
# --- a poll of a run by rv ---------------------------------------------------------------------------------------------

rv_program={{rv_program}}

rv_count_files() { rv_files=$#; }

# rv_poll FOLDER: lets rv poll the run of this folder once, as a client does: it records how the run ended, or begins the next
# attempt. rv submits that in the background, and Slurm ends all processes of this job together with this script, so it waits for
# the new entry, five seconds at most, and for the submission. 1: rv did not poll; the node may have no rv.
rv_poll() {
  local tries entries
  [ -x "$rv_program" ] || return 1
  rv_count_files "$1"/ledger/[0-9]*
  entries=$rv_files
  rv_list_own_variables
  env ${rv_unset[@]+"${rv_unset[@]}"} RV_HOME="${1%/runs/*}" timeout 60 "$rv_program" show "${1##*/}" </dev/null >/dev/null 2>&1 || return 1
  for ((tries = 0; tries < 50; tries++)); do
    rv_count_files "$1"/ledger/[0-9]*
    [ "$rv_files" -eq "$entries" ] || break
    sleep 0.1
  done
  flock -w 60 "$1/submit.lock" true
  return 0
}
