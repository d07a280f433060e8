#include "cli/options/container_options.h"

#include "cli/options/command_option.h"

namespace rv::cli {

void add_container_options(CLI::App& command, ContainerOptions& options) {
  add_option(command, "--container", options.image, "run in this image (Pyxis, Apptainer, Podman or Docker)")
      .type_name("IMAGE");
  add_option(command, "--container-mount", options.mounts,
             "another file or folder to mount, besides the working folder and scratch")
      .type_name("PATH")
      .delimiter(',');
}

}  // namespace rv::cli
