#include "cli/remote/forward/agreed_targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/border/checked_name.h"
#include "base/error.h"

namespace rv::forward {

namespace {

[[noreturn]] void refuse(const std::string& how) {
  throw Error("the login node's answer does not match the request: " + how,
              "no port was opened; check that rv on the login node is the genuine program", ExitCode::connection);
}

std::string named(const std::vector<int>& ports) {
  return ports.empty() ? "none" : fmt::format("{}", fmt::join(ports, ", "));
}

void check_found(const std::vector<Target>& targets, std::size_t asked) {
  if (targets.size() - asked > most_found_ports) {
    refuse(fmt::format("{} ports were found, and at most {} are opened", targets.size() - asked, most_found_ports));
  }
  for (auto target = targets.begin() + static_cast<std::ptrdiff_t>(asked); target != targets.end(); ++target) {
    if (std::find(targets.begin(), target, *target) != target) {
      refuse(fmt::format("port {} of {} is in it twice", target->port, target->node));
    }
  }
}

void check_targets(const RelayRequest& request, const std::vector<Target>& targets) {
  if (!request.targets.empty()) {
    if (targets != request.targets) refuse("its ports are not those of the lost connection");
    return;
  }
  const std::size_t asked = request.ports.size();
  std::vector<int> ports;
  ports.reserve(targets.size());
  for (const Target& target : targets) ports.push_back(target.port);
  const bool all_there = ports.size() >= asked && std::equal(request.ports.begin(), request.ports.end(), ports.begin());
  if (!all_there || (ports.size() > asked && !request.automatic)) {
    refuse(fmt::format("it offers ports {}, and {} were asked for", named(ports), named(request.ports)));
  }
  for (std::size_t i = 0; i < asked; ++i) {
    const std::string& node = request.node.empty() ? targets.front().node : request.node;
    if (targets[i].node != node) refuse(fmt::format("port {} is on {} instead of {}", ports[i], targets[i].node, node));
  }
  check_found(targets, asked);
}

}  // namespace

AgreedTargets::AgreedTargets(const RelayRequest& request, const Hello& hello) {
  try {
    run_ = RunId(hello.run).text();
    name_ = RunName(hello.name).text();
    for (const Target& target : hello.targets) {
      targets_.push_back({.node = HostName(target.node).text(), .port = checked_port(target.port)});
    }
  } catch (const Error& fault) {
    refuse(fault.what());
  }
  check_targets(request, targets_);
}

}  // namespace rv::forward
