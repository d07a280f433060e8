"""Writes what a package needs to a requirements file. usage: declared_dependencies.py OUT FOLDER [EXTRA...]

Runs in the environment that is being made. A static list is read from pyproject.toml; one that setuptools makes
(setup.py, or dynamic) is taken from the metadata that it writes, to a folder of its own."""
import os
import subprocess
import sys
import tempfile

out, folder, extras = sys.argv[1], sys.argv[2], sys.argv[3:]


def read_pyproject():
    path = os.path.join(folder, "pyproject.toml")
    if not os.path.exists(path):
        return {}
    try:
        import tomllib
    except ImportError:
        from pip._vendor import tomli as tomllib
    with open(path, "rb") as file:
        return tomllib.load(file)


def from_setuptools():
    try:
        import setuptools  # noqa: F401
    except ImportError:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "setuptools"], check=True)
    program = "setup.py" if os.path.exists(os.path.join(folder, "setup.py")) else None
    call = [program] if program else ["-c", "import setuptools; setuptools.setup()"]
    with tempfile.TemporaryDirectory() as aside:
        subprocess.run([sys.executable, *call, "--quiet", "egg_info", "--egg-base", aside], cwd=folder, check=True)
        lists = {"": []}
        section = ""
        for base, _, names in os.walk(aside):
            if "requires.txt" not in names:
                continue
            with open(os.path.join(base, "requires.txt")) as file:
                for line in map(str.strip, file):
                    if line.startswith("["):
                        section = line.strip("[]")
                    elif line:
                        lists.setdefault(section, []).append(line)
    needed = []
    for section, lines in lists.items():
        name, _, marker = section.partition(":")  # "train:python_version<'3.11'"
        if name in ("", *extras):
            needed += [f"{line} ; {marker}" if marker else line for line in lines]
    return needed


project = read_pyproject().get("project", {})
dynamic = project.get("dynamic", [])
if "dependencies" in dynamic or "optional-dependencies" in dynamic or "name" not in project:
    needed = from_setuptools()
else:
    optional = project.get("optional-dependencies", {})
    unknown = [extra for extra in extras if extra not in optional]
    if unknown:
        sys.exit(f"pyproject.toml has no optional dependencies called {', '.join(unknown)}")
    needed = project.get("dependencies", []) + [line for extra in extras for line in optional[extra]]
with open(out, "w") as file:
    file.writelines(line + "\n" for line in needed)
