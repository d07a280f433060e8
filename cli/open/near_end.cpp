#include "cli/open/near_end.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/child.h"
#include "base/variable.h"
#include "cli/json/values_json.h"
#include "cli/remote/forward/background.h"
#include "cli/remote/forward/local_port.h"

namespace rv::cli {
namespace {

constexpr int usual_port = 8888;

// Another rv may hold the terminal at the moment and have set it to raw mode.
void say(const std::string& line) {
  fmt::print(stderr, "rv: {}{}\n", line, ::isatty(STDERR_FILENO) != 0 ? "\r" : "");
}

std::vector<int> local_ports(const forward::ForwardRecord& record) {
  std::vector<int> ports;
  ports.reserve(record.ports.size());
  for (const auto& port : record.ports) ports.push_back(port.local);
  return ports;
}

}  // namespace

NearEnd::NearEnd(std::optional<HostSettings> there, std::string home, const NearEndChoice& choice)
    : there_(std::move(there)), home_(std::move(home)), choice_(choice) {}

NearEnd::~NearEnd() {
  if (!redirection_.empty()) ::unlink(redirection_.c_str());
  if (!record_ || choice_.keep) return;
  try {
    forward::stop_ports(home_, *record_, local_ports(*record_));
    if (choice_.json) return;
    for (const int port : local_ports(*record_)) say(fmt::format("127.0.0.1:{} is closed", port));
  } catch (const std::exception& fault) {
    say(fault.what());
  }
}

void NearEnd::open(const Announcement& what) {
  if (record_) return;
  try {
    const Opening opening(what, choice_.asked);
    auto ports = opening.ports();
    for (auto& port : ports) {
      if (port.local == 0) port.local = forward::free_port(usual_port);
    }
    record_ = forward::start_in_background(
        {.there = there_, .home = home_, .run = opening.run(), .node = opening.node(), .ports = ports});
    show(opening, *record_);
  } catch (const Error& fault) {
    say(fmt::format("error: {}", fault.what()));
    if (!fault.advice().empty()) say(fmt::format("hint: {}", fault.advice()));
  }
}

void NearEnd::show(const Opening& what, const forward::ForwardRecord& record) {
  if (!what.page()) {
    for (const auto& port : record.ports) {
      say(fmt::format("127.0.0.1:{} is port {} of {}", port.local, port.target.port, port.target.node));
    }
    return;
  }
  const auto& port = record.ports.front();
  const std::string address = page_address(what.secure(), port.local, *what.page());
  if (choice_.json) {
    fmt::print("{}", json_text({{"run", what.run()},
                                {"url", address},
                                {"local_port", port.local},
                                {"node", port.target.node},
                                {"remote_port", port.target.port}}));
  } else {
    fmt::print("{}\n", address);
  }
  std::fflush(stdout);
  if (choice_.browser) open_browser(address);
}

void NearEnd::open_browser(const std::string& address) {
  // A file that only the user can read: every user can read the arguments of a program, and the address contains the
  // token.
  redirection_ = fmt::format("{}/forwards/{}.html", home_, record_->ports.front().local);
  os::write_file(redirection_, redirection_page(address));
  const std::string chosen = variable("BROWSER");
  const os::Descriptor null = os::null_device();
  const os::Child browser({.argv = {chosen.empty() ? "xdg-open" : chosen, redirection_},
                           .in = null.number(),
                           .out = null.number(),
                           .err = null.number(),
                           .group = os::Group::own_session});
  if (browser.wait_for_start()) say("no browser was found: there is no " + (chosen.empty() ? "xdg-open" : chosen));
}

void check_local_ports(const std::vector<forward::PortPair>& ports) {
  for (const auto& port : ports) {
    if (port.local != 0) forward::listen_at(port.local, port.remote);
  }
}

}  // namespace rv::cli
