// The hosts of --hosts, over ssh.
#pragma once

#include "cli/load/place.h"

namespace rv::cli {

class HostsPlace : public LoadPlace {
 public:
  /// `word`: the argument of --hosts.
  explicit HostsPlace(const std::string& word) : word_(word) {}

  /// Nothing runs anywhere before all hosts have answered. Throws Error(connection) that names every host which can't
  /// be used.
  std::optional<int> reach(Load& load) override;
  /// A host that is lost ends the work on all.
  WorkEnd run(Load& load) override;
  std::string interrupted_text() const override { return "ended on all hosts"; }

 private:
  std::string word_;
  std::optional<HostsWork> work_;  // the destructor ends what runs on the hosts
  std::vector<int> slots_;
};

}  // namespace rv::cli
