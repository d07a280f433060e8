// The ports and page of a run, as rv on the login node sends them to rv on the laptop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/remote/forward/forward_arguments.h"

namespace rv::cli {

struct Announcement {
  std::string run;                            // ID
  std::string node = {};                      // empty: the run's first
  std::vector<forward::PortPair> ports = {};  // local 0: any free port
  std::string page = {};                      // "/lab?token=…", on the first port; empty: no page
  bool secure = false;                        // the page is https
};

/// One line.
std::string to_text(const Announcement& announcement);
/// The announcement as it was sent, which opening.h holds against what was asked for. Throws Error for text that
/// to_text can't have written.
Announcement parse_announcement(std::string_view text);

}  // namespace rv::cli
