# rv gpu runs this on each node of a run.
{{include:read_gpus.inc.sh}}
rv_read_gpus
