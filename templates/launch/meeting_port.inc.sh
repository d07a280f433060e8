# rv_meeting_port: where the processes of this job meet: one of the ports 10000 to 29999, where Linux puts no outgoing
# connection. By the job's number, so that no two jobs on one node get the same, and by the cluster's name, since another
# Slurm may have a job of that number on the same machine.
rv_meeting_port() {
  local name=${SLURM_CLUSTER_NAME-} sum=0 i letter
  for ((i = 0; i < ${#name}; i++)); do
    printf -v letter %d "'${name:i:1}"
    sum=$(((31 * sum + letter) % 20000))
  done
  echo $((10000 + (${SLURM_JOB_ID:-0} + sum + ${rv_port_offset:-0}) % 20000))
}
