"""Writes what packages need to a requirements file. usage: declared_dependencies.py OUT FOLDER[EXTRA,EXTRA]...

Runs in the environment that is being made. A static list is read from pyproject.toml, of setup.py and setup.cfg from
the metadata that setuptools writes to a folder of its own, of any other build backend from the metadata that pip has it
make. The names of the packages themselves are left out: they are folders of the project, and an index that was asked for
them could answer with something else."""
import json
import os
import re
import subprocess
import sys
import tempfile

# Indexes that anyone may query for any name. pip does not query other indexes: it would mix them with its own.
PUBLIC = ("https://pypi.org/", "https://test.pypi.org/", "https://download.pytorch.org/", "https://pypi.nvidia.com")
local = {}  # by normalised name: (folder, lines by extra)
indexes = []


def normalised(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def read_pyproject(folder):
    path = os.path.join(folder, "pyproject.toml")
    if not os.path.exists(path):
        return {}
    try:
        import tomllib
    except ImportError:
        from pip._vendor import tomli as tomllib
    with open(path, "rb") as file:
        return tomllib.load(file)


def from_setuptools(folder):
    """Its name, and its lines by extra; "" is none."""
    try:
        import setuptools  # noqa: F401
    except ImportError:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "setuptools"], check=True)
    program = "setup.py" if os.path.exists(os.path.join(folder, "setup.py")) else None
    call = [program] if program else ["-c", "import setuptools; setuptools.setup()"]
    name, lists, section = "", {"": []}, ""
    with tempfile.TemporaryDirectory() as aside:
        subprocess.run([sys.executable, *call, "--quiet", "egg_info", "--egg-base", aside], cwd=folder, check=True)
        for base, _, names in os.walk(aside):
            if "PKG-INFO" in names:
                with open(os.path.join(base, "PKG-INFO"), encoding="utf-8") as file:
                    name = next((line.split(":", 1)[1].strip() for line in file if line.startswith("Name:")), "")
            if "requires.txt" not in names:
                continue
            with open(os.path.join(base, "requires.txt"), encoding="utf-8") as file:
                for line in map(str.strip, file):
                    if line.startswith("["):
                        section = line.strip("[]")
                    elif line:
                        lists.setdefault(section, []).append(line)
    by_extra = {}
    for section, lines in lists.items():
        extra, _, marker = section.partition(":")  # "train:python_version<'3.11'"
        by_extra.setdefault(extra, []).extend(f"{line} ; {marker}" if marker else line for line in lines)
    return name, by_extra


def from_backend(folder):
    """The same of Poetry, Hatch, Flit, PDM, …: pip makes the metadata, and installs nothing."""
    made = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed",
                           "--report", "-", folder], stdout=subprocess.PIPE, check=False)
    if made.returncode != 0:
        sys.exit(f"{folder}: pip could not have its build backend say what it needs (pip 22.2 is the first that can)")
    metadata = json.loads(made.stdout)["install"][0]["metadata"]
    by_extra = {"": []}
    for line in metadata.get("requires_dist", []):
        extra = re.search(r"""extra\s*==\s*['"]([^'"]+)['"]""", line)
        without = re.sub(r"""\s*(and\s+)?extra\s*==\s*['"][^'"]+['"]""", "", line).strip()
        without = without[:-1].strip() if without.endswith(";") else without
        by_extra.setdefault(normalised(extra.group(1)) if extra else "", []).append(without if extra else line)
    return metadata["name"], by_extra


def from_lists(project):
    by_extra = {"": project.get("dependencies", [])}
    by_extra.update(project.get("optional-dependencies", {}))
    return project["name"], by_extra


def sourced(line, name, tool, folder):
    """The line with its source of [tool.uv.sources], which pip does not read; None where it is a folder here."""
    source = {normalised(key): value for key, value in tool.get("sources", {}).items()}.get(name)
    for one in source if isinstance(source, list) else [source] if source else []:
        if one.get("workspace") or "path" in one:
            return None
        if "git" in one:
            at = one.get("rev") or one.get("tag") or one.get("branch")
            extras = re.match(r"\s*[\w.-]+\s*(\[[^\]]*\])?", line).group(1) or ""
            return f"{name}{extras} @ git+{one['git']}" + (f"@{at}" if at else "")
        if "url" in one:
            return f"{name} @ {one['url']}"
        if "index" in one:
            url = next((i["url"] for i in tool.get("index", []) if i.get("name") == one["index"]), "")
            if not url.startswith(PUBLIC):
                sys.exit(f"{folder}: {name} comes from the index {one['index']}, which pip would mix with its own: install uv")
            if url not in indexes:
                indexes.append(url)
    return line


def uv_settings(folder, own):
    """[tool.uv] of a package; a workspace's root speaks for its members where they say nothing."""
    above = os.path.dirname(os.path.abspath(folder))
    while above != os.path.dirname(above):
        root = read_pyproject(above).get("tool", {}).get("uv", {})
        if "workspace" in root:
            return {"sources": {**root.get("sources", {}), **own.get("sources", {})},
                    "index": own.get("index", []) + root.get("index", [])}
        above = os.path.dirname(above)
    return own


def read(folder):
    settings = read_pyproject(folder)
    project = settings.get("project", {})
    backend = settings.get("build-system", {}).get("build-backend", "setuptools")
    static = "name" in project and not {"dependencies", "optional-dependencies"} & set(project.get("dynamic", []))
    legacy = "setuptools" in backend
    name, by_extra = from_lists(project) if static else from_setuptools(folder) if legacy else from_backend(folder)
    return normalised(name), by_extra, uv_settings(folder, settings.get("tool", {}).get("uv", {}))


def needed_by(name, extras, seen):
    folder, by_extra, tool = local[name]
    known = {normalised(extra) if extra else "": lines for extra, lines in by_extra.items()}
    for extra in ["", *map(normalised, extras)]:
        if extra and extra not in known:
            sys.exit(f"{folder} has no optional dependencies called {extra}")
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        for line in known.get(extra, []):
            match = re.match(r"\s*([\w.-]+)\s*(?:\[([^\]]*)\])?", line)
            wanted = normalised(match.group(1))
            if wanted in local:
                # Its own code is imported from its folder; of its lists only what the brackets name is new.
                yield from needed_by(wanted, [e.strip() for e in (match.group(2) or "").split(",") if e.strip()], seen)
                continue
            line = sourced(line, wanted, tool, folder)
            if line is None:
                sys.exit(f"{folder}: {wanted} is a folder of this project that rv has not found: run uv lock there")
            yield line


out, packages = sys.argv[1], []
for word in sys.argv[2:]:
    folder, _, extras = word.partition("[") if word.endswith("]") else (word, "", "")
    name, by_extra, tool = read(folder)
    local[name] = (folder, by_extra, tool)
    packages.append((name, [extra for extra in extras.rstrip("]").split(",") if extra]))
seen, lines = set(), []
for name, extras in packages:
    for line in needed_by(name, extras, seen):
        if line not in lines:
            lines.append(line)
with open(out, "w", encoding="utf-8") as file:
    file.writelines(line + "\n" for line in [f"--extra-index-url {url}" for url in indexes] + lines)
