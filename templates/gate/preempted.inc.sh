
# --- preemption with a grace -------------------------------------------------------------------------------------------

# Whether Slurm is preempting this job. During a partition's grace time Slurm may send TERM only to the steps, while the job is still
# RUNNING: only PreemptTime shows it. A PreemptTime before this start belongs to an earlier start. Without an answer: no.
rv_was_preempted() {
  local said started=""
  said=$(timeout 20 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null) || return 1
  [[ $said =~ ' StartTime='([0-9][0-9T:-]*) ]] && started=${BASH_REMATCH[1]}
  [[ $said =~ ' PreemptEligibleTime='[^\ ]*' PreemptTime='([0-9][0-9T:-]*) ]] && [[ ! ${BASH_REMATCH[1]} < $started ]]
}
