# Sets the same environment for every test, whoever runs it and wherever. Sourced; needs $work, a folder that the test owns.
# shellcheck shell=bash
: "${work:?a folder that the test owns}"

# clean_environment: home, runs and site are the test's own, below $work; locale, time zone and PATH are the system's; nothing is
# left of a job in which the tests run, of modules, Conda or Python's environments, nor of the terminal. What a test receives
# itself (RV, RV_SANDBOX_DIR, …) stays.
clean_environment() {
  local name
  for name in $(compgen -e); do
    case $name in
      SLURM* | SBATCH_* | SRUN_* | SALLOC_* | PMI_* | PMIX_* | OMPI_* | TORCHELASTIC_* | CUDA_VISIBLE_DEVICES | NVIDIA_VISIBLE_DEVICES) ;;
      RANK | WORLD_SIZE | LOCAL_RANK | LOCAL_WORLD_SIZE | GROUP_RANK | MASTER_ADDR | MASTER_PORT | JOB_COMPLETION_INDEX) ;;
      RV_RUN_* | RV_OUTPUT_DIR | RV_CHECKPOINT_* | RV_ARRAY_* | RV_SEGMENT | RV_NODE_NAME | RV_NNODES | RV_RENDEZVOUS_* | RV_SWEEP_*) ;;
      LOADEDMODULES | _LMFILES_ | MODULE* | LMOD_* | CONDA_* | MAMBA_* | PYTHON* | PYENV_* | VIRTUAL_ENV | PIP_* | UV_*) ;;
      COLUMNS | LINES | NO_COLOR | BROWSER | SCRATCH | SSH_AUTH_SOCK | KUBECONFIG | XDG_*) ;;
      *) continue ;;
    esac
    unset "$name"
  done
  export HOME="$work/user" RV_HOME="$work/home" RV_SITE="$work/site.yaml" LC_ALL=C.UTF-8 TZ=UTC
  # The system's own Python: others of the machine are started by scripts that need a home folder with their settings.
  export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  mkdir -p "$HOME"
  printf 'scratch: %s/scratch\n' "$work" >"$RV_SITE"
}
