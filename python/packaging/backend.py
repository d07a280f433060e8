"""Builds the wheel of rv-slurm, for pip (PEP 517, PEP 660). It needs only Python, so `pip install ./python` works without a network."""
import base64
import hashlib
import os
import re
import zipfile

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TAG = "py3-none-any"


def version():
    """The version in rv/__init__.py."""
    with open(os.path.join(FOLDER, "rv", "__init__.py"), encoding="utf-8") as file:
        return re.search(r'^__version__ = "(.+)"$', file.read(), re.M).group(1)


def modules():
    """The files of the package: their names in the wheel, and their contents."""
    for folder, subfolders, names in os.walk(os.path.join(FOLDER, "rv")):
        subfolders[:] = sorted(name for name in subfolders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith((".py", ".typed")):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    yield os.path.relpath(path, FOLDER).replace(os.sep, "/"), file.read()


def write_wheel(folder, files):
    """Writes the wheel and returns its name. The same files give the same bytes."""
    stem = "rv_slurm-" + version()
    about = stem + ".dist-info/"
    metadata = ("Metadata-Version: 2.1\nName: rv-slurm\nVersion: {}\nRequires-Python: >=3.8\n"
                "Summary: Run commands and Python functions on the GPUs of a Slurm cluster with rv\n").format(version())
    wheel = "Wheel-Version: 1.0\nGenerator: rv\nRoot-Is-Purelib: true\nTag: {}\n".format(TAG)
    files = [*files, (about + "METADATA", metadata.encode()), (about + "WHEEL", wheel.encode())]
    record = ""
    for name, content in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record += "{},sha256={},{}\n".format(name, digest, len(content))
    record += about + "RECORD,,\n"
    name = "{}-{}.whl".format(stem, TAG)
    with zipfile.ZipFile(os.path.join(folder, name), "w") as archive:
        for path, content in [*files, (about + "RECORD", record.encode())]:
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, modules())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, [("rv_slurm.pth", (FOLDER + "\n").encode())])


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("rv-slurm is built from rv's sources: pip install ./python")


if __name__ == "__main__":
    import sys
    print(build_wheel(sys.argv[1]))
