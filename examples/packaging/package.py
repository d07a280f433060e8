"""A Spack recipe for rv from a checkout: put it into a repository of yours as packages/rv/package.py, then
`spack dev-build rv@main`."""
from spack.package import *


class Rv(CMakePackage, CudaPackage):
    """GPUs on Slurm clusters: planned, raced for, followed and tested."""

    version("main")

    variant("gloo", default=True, description="Collectives without GPUs")

    depends_on("cmake@3.25:", type="build")
    depends_on("fmt@9:")
    depends_on("spdlog@1.10:")
    depends_on("nlohmann-json@3.11:")
    depends_on("cli11@2.1:")
    depends_on("yaml-cpp@0.7: ~shared")
    depends_on("gloo", when="+gloo")
    depends_on("nccl", when="+cuda")
    depends_on("cudnn", when="+cuda")

    def cmake_args(self):
        return [self.define("RV_BUILD_TESTS", False)]
