// Inside which image a command is to run.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

/// The options as typed.
struct ContainerOptions {
  std::string image;                // as the engine takes it: a registry's name, a .sqsh or .sif file; empty: none
  std::vector<std::string> mounts;  // absolute files and folders besides rv's own
};

/// Adds --container and --container-mount.
void add_container_options(CLI::App& command, ContainerOptions& options);

}  // namespace rv::cli
