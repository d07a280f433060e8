# rv jupyter runs this on its node: Jupyter on the loopback, with the token and the settings that rv wrote into the run folder.
set -u
rv_jupyter=$RV_RUN_DIR/jupyter
# These come before the user's own settings. They are not arguments, which every user of the node can read.
export JUPYTER_CONFIG_PATH="$rv_jupyter/config${JUPYTER_CONFIG_PATH:+:$JUPYTER_CONFIG_PATH}"
export JUPYTER_RUNTIME_DIR="$rv_jupyter/runtime"
rm -rf "$JUPYTER_RUNTIME_DIR" # of an earlier start
(umask 077 && mkdir -p "$JUPYTER_RUNTIME_DIR")
# Some releases log the requested URLs, including the token.
chmod go= /proc/self/fd/1 /proc/self/fd/2
for program in jupyter-lab jupyter-notebook jupyter-server; do
  ! command -v "$program" >/dev/null || exec "$program"
done
echo "rv: ${SLURMD_NODENAME:-this node} has no jupyter-lab, jupyter-notebook or jupyter-server" >&2
: >"$rv_jupyter/missing"
exit 127
