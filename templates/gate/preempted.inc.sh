
# --- preemption with a grace -------------------------------------------------------------------------------------------

# Whether Slurm has told this job to make room. In the grace that a partition may give, its TERM can reach the steps alone,
# and the job is still called RUNNING: only this time tells. One from before this start is that of an earlier one. Without an
# answer: no.
rv_was_preempted() {
  local said started=""
  said=$(timeout 20 scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null) || return 1
  [[ $said =~ ' StartTime='([0-9][0-9T:-]*) ]] && started=${BASH_REMATCH[1]}
  [[ $said =~ ' PreemptEligibleTime='[^\ ]*' PreemptTime='([0-9][0-9T:-]*) ]] && [[ ! ${BASH_REMATCH[1]} < $started ]]
}
