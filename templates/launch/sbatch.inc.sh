
# --- submitting from inside a job --------------------------------------------------------------------------------------

# rv_list_own_variables: env's options in rv_unset. The job's own variables must not reach the next job: Slurm would take some of
# them for requests.
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

# rv_sbatch OPTION…: this script again.
rv_sbatch() {
  rv_list_own_variables
{{?begins_later}}  set -- --begin=now "$@" # its time has come once
  [ "$rv_attempt" = 1 ] || set -- "$@" --job-name="$SLURM_JOB_NAME"
  env ${rv_unset[@]+"${rv_unset[@]}"} timeout 60 sbatch --parsable "$@" "$rv_script" attempt "$rv_attempt" 2>&1
}
