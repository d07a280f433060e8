
# rv_node_address NODE: a name or address that other nodes can reach it by. Some sites' node names are Slurm's alone; their
# address is then in the node's record.
rv_node_address() {
  if getent hosts "$1" >/dev/null; then
    echo "$1"
  else
    scontrol -o show node "$1" | sed -n 's/.* NodeAddr=\([^ ]*\).*/\1/p'
  fi
}
