#include "base/os/current_folder.h"

#include <filesystem>

#include "base/error.h"

namespace rv::os {

std::string current_folder() {
  std::error_code fault;
  const auto path = std::filesystem::current_path(fault);
  if (fault) {
    throw Error("can't determine the current folder: " + fault.message(), "cd to a folder that exists",
                ExitCode::usage);
  }
  return path.string();
}

}  // namespace rv::os
