// A command inside a container image.
#pragma once

#include <string>
#include <vector>

#include "cli/launch/work_order.h"
#include "cli/options/container_options.h"
#include "cli/settings/settings.h"

namespace rv::cli {

struct Container {
  std::string engine;  // pyxis: options of srun; apptainer, singularity, podman, docker; empty: what a node has
  std::string image;
  std::vector<std::string> mounts;  // absolute folders that keep their place inside, where a node has them
  std::vector<std::string> named;   // files and folders of --container-mount, which a node must have
  std::string message_file = {};    // a file for the two lines about a failed start; empty: they go to stderr

  bool by_srun() const { return engine == "pyxis"; }
  /// Empty unless by_srun().
  std::vector<std::string> srun_options() const;
  /// srun for one process on one node of a job, with these options; empty unless by_srun().
  std::vector<std::string> step() const;
  /// The command in the image, begun by the program `start` (start_container); as it is where srun does it or where
  /// there is no image. An empty `start`: the run folder's, which the job's shell finds.
  std::vector<std::string> command(const std::vector<std::string>& argv, const std::string& start = "") const;
};

/// With the settings' engine, else Pyxis where this machine's srun knows it. rv's home and the scratch folder are
/// mounted too. No image: a container that leaves all as it is. Throws Error(usage) for a file that is not there and
/// for a mount that is not absolute or holds a ':' or ','.
Container container_for(const ContainerOptions& options, const Settings& settings);

/// Does the same for hosts without Slurm: an absolute path is checked only on the hosts, and Pyxis is not an engine.
Container container_on_hosts(const ContainerOptions& options, const Settings& settings);

/// The program that begins containers.
std::string container_start();
/// Writes the program that begins containers, to that path.
void write_container_start(const std::string& path);

/// The order's command, or the shell of its hold, in the image.
void put_into_container(WorkOrder& order, const Container& container);

}  // namespace rv::cli
