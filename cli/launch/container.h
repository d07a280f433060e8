// How a site starts a command inside a container image.
#pragma once

#include <string>
#include <vector>

#include "settings/settings.h"

namespace rv::cli {

struct Container {
  std::string form;   // "pyxis" (options of srun) or "apptainer" (a command before the command); empty: no container
  std::string image;  // as that form takes it: a registry's name, a .sqsh or .sif file

  /// Options for srun; empty unless pyxis. `mounts`: absolute folders that keep their place inside.
  std::vector<std::string> srun_options(const std::vector<std::string>& mounts) const;
  /// The command in the image; as it is unless apptainer.
  std::vector<std::string> command(const std::vector<std::string>& argv, const std::vector<std::string>& mounts) const;
};

/// `image` with the settings' form, else what this machine shows: srun that knows --container-image, else an apptainer
/// on PATH. Throws Error(usage) where neither is known.
Container container_for(const std::string& image, const Settings& settings);

}  // namespace rv::cli
