#include "cli/open/opening.h"

#include <algorithm>

#include "base/border/checked_name.h"
#include "base/error.h"

namespace rv::cli {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error("the login node announces " + what + " that was not asked for",
              "nothing was opened; check that rv on the login node is the genuine program", ExitCode::connection);
}

bool matches(const forward::PortPair& asked, const forward::PortPair& announced) {
  return asked.local == announced.local && (asked.remote == 0 || asked.remote == announced.remote);
}

}  // namespace

Opening::Opening(const Announcement& what, const OpenRequest& asked)
    : run_(RunId(what.run).text()), ports_(what.ports), secure_(what.secure) {
  if (!what.node.empty()) node_ = HostName(what.node).text();
  if (!std::equal(asked.ports.begin(), asked.ports.end(), ports_.begin(), ports_.end(), matches)) refuse("a port");
  for (const auto& port : ports_) checked_port(port.remote);
  if (!what.page.empty()) {
    if (!asked.page) refuse("a page");
    page_.emplace(what.page);
  } else if (asked.page) {
    throw Error("the login node did not send a page", "check that rv on the login node is the genuine program",
                ExitCode::connection);
  }
}

}  // namespace rv::cli
