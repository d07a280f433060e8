// Opening what a run serves where the user is: on the laptop whose rv called this one, else here.
#pragma once

#include <string>
#include <vector>

#include "cli/open/announcement.h"
#include "cli/open/near_end.h"
#include "cli/options/invocation.h"
#include "cli/remote/hop/hop.h"

namespace CLI {
class App;
}

namespace rv::cli {

class Opener {
 public:
  /// `choice`: for ports on this machine; rv on the laptop handles its own ports (hear_announcements).
  Opener(const Invocation& invocation, const NearEndChoice& choice);
  void open(const Announcement& what);

 private:
  const Invocation& invocation_;
  NearEnd here_;
};

/// The laptop's side: opens what the command on the login node announces, until that command is over.
remote::Announced hear_announcements(const HostSettings& there, const NearEndChoice& choice);

/// Adds --open PORT.
void add_open_option(CLI::App& command, std::vector<std::string>& words);
/// Its arguments as ports. Throws Error(usage).
std::vector<forward::PortPair> open_ports(const std::vector<std::string>& words);

}  // namespace rv::cli
