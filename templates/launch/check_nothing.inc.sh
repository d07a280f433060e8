
# A CPU job has no GPUs to compare with the request.
rv_check_gpus() { :; }
