
# --- the project's environment ---------------------------------------------------------------------------------------

# Activates the environment, after the set-up lines, which may change PATH. A second call in the same process changes nothing.
rv_activate() {
  local prefix={{project_prefix}} conda={{project_conda}} imports={{project_imports}} script
  if [ -n "$imports" ]; then
    # The project's own modules are imported from the files of this run, as in an editable install.
    case ${PYTHONPATH:-}: in
      "$imports":*) ;;
      *) export PYTHONPATH="$imports${PYTHONPATH:+:$PYTHONPATH}" ;;
    esac
  fi
  [ -n "$prefix" ] || return 0
  if [ ! -x "$prefix/bin/python" ] && { [ -z "$conda" ] || [ -L "$prefix/bin/python" ] || [ ! -d "$prefix/bin" ]; }; then
    echo "rv: the project's environment $prefix has no Python that starts on $rv_node; check that it and its" \
      "interpreter are on a shared file system; rv deps rebuild recreates it" >&2
    return 1
  fi
  case $PATH in
    "$prefix/bin":*) ;;
    *) export PATH="$prefix/bin:$PATH" ;;
  esac
  export PYTHONNOUSERSITE=1 RV_ENVIRONMENT="$prefix"
  unset PYTHONHOME
  if [ -z "$conda" ]; then
    export VIRTUAL_ENV="$prefix"
    return 0
  fi
  unset VIRTUAL_ENV
  export CONDA_PREFIX="$prefix"
  for script in "$prefix"/etc/conda/activate.d/*.sh; do
    # shellcheck disable=SC1090  # the environment's own
    [ ! -r "$script" ] || . "$script"
  done
}

# The start-up files of a login shell set PATH again, so the environment is put first again in a shell below it.
rv_project_shell() {
  export SHELL="${SHELL:-/bin/bash}"
  case $SHELL in
    *csh) exec "$SHELL" ;; # -l can't be combined with other options; it reads its own start-up file anyway
  esac
  # shellcheck disable=SC2016  # for that shell to expand
  exec "$SHELL" -l -c 'exec env PATH="$RV_ENVIRONMENT/bin:$PATH" "$SHELL"'
}
