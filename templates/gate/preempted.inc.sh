
# --- preemption with a grace -------------------------------------------------------------------------------------------

# Whether Slurm is preempting this job. During a partition's grace time Slurm may send TERM only to the steps, while the job is still
# RUNNING: only PreemptTime shows it. A PreemptTime before this start belongs to an earlier start. Without an answer: no.
rv_was_preempted() {
  local said started=""
  said=$(timeout 20 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null) || return 1
  [[ $said =~ ' StartTime='([0-9][0-9T:-]*) ]] && started=${BASH_REMATCH[1]}
  [[ $said =~ ' PreemptEligibleTime='[^\ ]*' PreemptTime='([0-9][0-9T:-]*) ]] && [[ ! ${BASH_REMATCH[1]} < $started ]]
}

# Prints the state in which Slurm ends this job, while the script still runs: scontrol may still call it RUNNING or COMPLETING.
rv_job_state() {
  local word
  word=$(timeout 5 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
  case $word in
    "" | COMPLETING | RUNNING) word=$(timeout 5 sacct -X -n -P -j "$SLURM_JOB_ID" -o State 2>/dev/null | tail -n 1) ;;
  esac
  echo "${word%% *}"
}
