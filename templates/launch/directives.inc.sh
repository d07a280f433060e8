#!/bin/bash
#SBATCH --job-name={{sbatch:job_name}}
#SBATCH --partition={{sbatch:partitions}}
#SBATCH --nodes={{sbatch:nodes}}
#SBATCH --ntasks-per-node={{sbatch:processes_per_node}}
#SBATCH --cpus-per-task={{sbatch:cpus_per_process}}
{{?gres}}#SBATCH --gres={{sbatch:gres}}
{{?memory}}#SBATCH --mem={{sbatch:memory}}
#SBATCH --time={{sbatch:time_limit}}
{{?time_min}}#SBATCH --time-min={{sbatch:time_min}}
{{?further_options}}{{lines:further_options}}
{{?account}}#SBATCH --account={{sbatch:account}}
{{?qos}}#SBATCH --qos={{sbatch:qos}}
{{?constraint}}#SBATCH --constraint={{sbatch:constraint}}
{{?array}}#SBATCH --array={{sbatch:array}}
{{?dependency}}#SBATCH --dependency={{sbatch:dependency}}
{{?nodelist}}#SBATCH --nodelist={{sbatch:nodelist}}
{{?exclude}}#SBATCH --exclude={{sbatch:exclude}}
{{?signal_before}}#SBATCH --signal=B:USR1@{{sbatch:signal_before}}
#SBATCH --{{sbatch:requeue_option}}
#SBATCH --chdir={{sbatch:run_folder}}
#SBATCH --output={{sbatch:slurm_log}}
#SBATCH --open-mode=append
#
# One candidate of an rv run. Only the first candidate that starts passes the start gate.
#
# Users' values are in single quotes and must not expand (SC2016, SC2089, SC2090); a site's set-up lines may source files that exist only
# on the cluster (SC1090, SC1091); some functions are called only by name or from traps (SC2317).
# shellcheck disable=SC2016,SC2089,SC2090,SC1090,SC1091,SC2317
set -u

RV_RUN_ID={{run_id}}
RV_RUN_DIR={{run_folder}}
RV_CANDIDATE={{candidate}}
RV_GPU_TYPE={{gpu_type}}
{{?whole_gpu}}RV_GPU_PRODUCT={{gpu_product}}
{{?mig_profile}}RV_GPU_PROFILE={{mig_profile}}
RV_GPUS_PER_NODE={{gpus_per_node}}
RV_NNODES={{nodes}}
export RV_RUN_ID RV_RUN_DIR RV_CANDIDATE RV_GPU_TYPE RV_GPUS_PER_NODE RV_NNODES
rv_work_folder={{work_folder}}
{{?total}}[ "${1:-}" != next ] || SLURM_JOB_ID=- # called outside of a job (chain_next.inc.sh)
rv_job=$SLURM_JOB_ID
# The number of the attempt that this job was submitted for, from 1.
rv_attempt=1
[ "${1:-}" != attempt ] || rv_attempt=$2
rv_output=$RV_RUN_DIR/output
