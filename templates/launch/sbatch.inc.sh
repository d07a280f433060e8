
# --- submitting from inside a job --------------------------------------------------------------------------------------

# rv_sbatch OPTION…: this script again. The job's own variables must not reach the next job: Slurm would take some of them
# for requests.
rv_sbatch() {
  local name unset=(-u CUDA_VISIBLE_DEVICES -u GPU_DEVICE_ORDINAL -u ROCR_VISIBLE_DEVICES -u ZE_AFFINITY_MASK)
  for name in $(compgen -e); do
    case $name in
      SLURM_CONF) ;;
      SLURM_* | SLURMD_* | SBATCH_* | SRUN_* | RV_*) unset+=(-u "$name") ;;
    esac
  done
{{?begins_later}}  set -- --begin=now "$@" # its time has come once
  [ "$rv_attempt" = 1 ] || set -- "$@" --job-name="$SLURM_JOB_NAME"
  env ${unset[@]+"${unset[@]}"} timeout 60 sbatch --parsable "$@" "$rv_script" attempt "$rv_attempt" 2>&1
}
