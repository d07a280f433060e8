// A run's ports and page where the user is, for as long as a command is at it.
#pragma once

#include <optional>
#include <string>

#include "cli/open/announcement.h"
#include "cli/open/opening.h"
#include "cli/remote/forward/forward_record.h"
#include "cli/settings/settings.h"

namespace rv::cli {

struct NearEndChoice {
  OpenRequest asked = {};  // nothing else is opened
  bool browser = false;    // opens the page
  bool keep = false;       // the ports stay until the run ends, as those of rv forward
  bool json = false;
};

class NearEnd {
 public:
  /// `there`: the login node; nothing: this machine is one. `home`: rv's folder on this machine.
  NearEnd(std::optional<HostSettings> there, std::string home, const NearEndChoice& choice);
  /// Closes the ports and prints a line for each.
  ~NearEnd();
  NearEnd(const NearEnd&) = delete;
  NearEnd& operator=(const NearEnd&) = delete;

  /// Forwards the ports in a separate process and prints their addresses; a page's address goes to stdout. A failure
  /// or an unrequested port is printed and not thrown, because the run continues. Does nothing if it is open
  /// already.
  void open(const Announcement& what);

 private:
  void show(const Opening& what, const forward::ForwardRecord& record);
  void open_browser(const std::string& address);

  std::optional<HostSettings> there_;
  std::string home_;
  NearEndChoice choice_;
  std::optional<forward::ForwardRecord> record_;
  std::string redirection_;  // the file that the browser was given
};

/// Throws Error(usage) for local ports that are taken, before anything is started for them. 0 is never taken.
void check_local_ports(const std::vector<forward::PortPair>& ports);

}  // namespace rv::cli
