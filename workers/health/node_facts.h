// What should be the same on all nodes of a cluster: versions of the kernel and of firmware, and the hardware.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace rv::workers {

/// Facts by name, each a short text: kernel, os, bios, board, cpu, cpus, numa_nodes, memory (whole GiB), ofed.
/// A fact that can't be read is absent. `root` is the root of the file system.
std::map<std::string, std::string> node_facts(const std::filesystem::path& root = "/");

}  // namespace rv::workers
