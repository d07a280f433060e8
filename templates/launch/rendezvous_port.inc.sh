# rv_rendezvous_port: prints the port on which the processes of this job meet, 10000 to 29999: below Linux's default range for outgoing
# connections (ip_local_port_range: 32768 and up). Computed from the job ID, so that jobs on one node rarely share a port (IDs 20,000
# apart do), and from the cluster's name, because another Slurm may have a job with the same ID on this machine.
rv_rendezvous_port() {
  local name=${SLURM_CLUSTER_NAME-} sum=0 i letter
  for ((i = 0; i < ${#name}; i++)); do
    printf -v letter %d "'${name:i:1}"
    sum=$(((31 * sum + letter) % 20000))
  done
  echo $((10000 + (${SLURM_JOB_ID:-0} + sum + ${rv_port_offset:-0}) % 20000))
}
