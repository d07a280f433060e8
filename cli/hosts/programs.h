// The programs that go to hosts which do not have them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/remote/hosts/host_session.h"

namespace rv::cli {

struct Programs {
  std::string folder;  // where they are here
  std::vector<std::pair<std::string, remote::HostSession::Bytes>> files;

  remote::KnownWorkers known() const;
};

/// Reads them once for all hosts. Throws Error if one does not exist.
Programs read_programs(const std::string& folder, const std::vector<std::string>& names);

}  // namespace rv::cli
