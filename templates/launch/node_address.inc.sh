
# rv_node_address NODE: prints a name or address by which other nodes can reach the node. At some sites only Slurm knows the node names;
# then the address is in the node's record.
rv_node_address() {
  if getent hosts "$1" >/dev/null; then
    echo "$1"
  else
    scontrol -o show node "$1" | sed -n 's/.* NodeAddr=\([^ ]*\).*/\1/p'
  fi
}
