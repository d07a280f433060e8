"""Gives an empty environment its pip. usage: add_pip.py ENVIRONMENT

Runs by the Python that made it. That one's venv would take pip from ensurepip, which Debian and Ubuntu have in a package
of its own (python3-venv), and login nodes often not: then the pip that this Python has is copied."""
import importlib.util
import os
import shutil
import subprocess
import sys

environment = sys.argv[1]
python = os.path.join(environment, "bin", "python")
own = importlib.util.find_spec("pip")
if importlib.util.find_spec("ensurepip"):
    sys.exit(subprocess.call([python, "-I", "-m", "ensurepip", "--upgrade", "--default-pip"]))
if own is None:
    sys.exit(f"{sys.executable} has neither ensurepip nor pip: install python3-venv or uv, or name another Python "
             "(environment: {python: ...} in .rv.yaml)")
where = subprocess.check_output([python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
shutil.copytree(os.path.dirname(own.origin), os.path.join(where.decode().strip(), "pip"))
