
# --- submitting from inside a job --------------------------------------------------------------------------------------

# rv_list_own_variables: sets rv_unset, env's options to remove the job's own variables, some of which sbatch would read as requests for
# the next job.
rv_list_own_variables() {
  local name
  rv_unset=(-u CUDA_VISIBLE_DEVICES -u GPU_DEVICE_ORDINAL -u ROCR_VISIBLE_DEVICES -u ZE_AFFINITY_MASK)
  for name in $(compgen -e); do
    case $name in
      SLURM_CONF) ;;
      SLURM_* | SLURMD_* | SBATCH_* | SRUN_* | RV_*) rv_unset+=(-u "$name") ;;
    esac
  done
}

# rv_sbatch OPTION…: submits this script again.
rv_sbatch() {
  rv_list_own_variables
{{?begins_later}}  set -- --begin=now "$@" # the begin time has passed
  [ "$rv_attempt" = 1 ] || set -- "$@" --job-name="$SLURM_JOB_NAME"
  env ${rv_unset[@]+"${rv_unset[@]}"} timeout 60 sbatch --parsable "$@" "$rv_script" attempt "$rv_attempt" 2>&1
}
