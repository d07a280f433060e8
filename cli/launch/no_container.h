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

/// The file that receives the messages of a container's start, if the caller requests it (Container::message_file).
constexpr auto container_message_file = "container-told";

/// Throws Error with the message of the failed start from that file; without the file only with the image's name.
[[noreturn]] void throw_no_container(const std::string& image, const std::string& file);

/// For an ended run: why its image could not be started, if that ended it.
std::optional<Error> container_error(const ContainerOptions& options, const monitor::RunFolder& run,
                                     const monitor::RunView& view, slurm::Gateway& gateway);

}  // namespace rv::cli
