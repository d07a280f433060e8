// An image that is not there, or can't be started: exit code 125 and two lines, wherever that shows.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "cli/options/container_options.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/run_folder.h"
#include "slurm/gateway.h"

namespace rv::cli {

/// The exit code of a container's start that failed.
constexpr int no_container = 125;

/// A file by this name gets what the start of a container has to say, where somebody asks for that (Container::told).
constexpr auto container_told = "container-told";

/// Throws Error with what the file says of the start that failed; with the image's name alone where there is none.
[[noreturn]] void throw_no_container(const std::string& image, const std::string& file);

/// Of a run that is over: what kept its image from being started, where that ended it.
std::optional<Error> container_error(const ContainerOptions& options, const monitor::RunFolder& run,
                                     const monitor::RunView& view, slurm::Gateway& gateway);

}  // namespace rv::cli
