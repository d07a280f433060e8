#include "cli/open/opener.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>

#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/remote/hop/login_side.h"
#include "cli/settings/settings.h"

namespace rv::cli {

Opener::Opener(const Invocation& invocation, const NearEndChoice& choice)
    : invocation_(invocation), here_(std::nullopt, invocation.settings.home, choice) {}

void Opener::open(const Announcement& what) {
  if (invocation_.hop) {
    remote::announce(*invocation_.hop, to_text(what));
  } else {
    here_.open(what);
  }
}

remote::Announced hear_announcements(const HostSettings& there, const NearEndChoice& choice) {
  const auto near_end = std::make_shared<NearEnd>(there, read_settings().home, choice);
  return [near_end](std::string_view words) { near_end->open(parse_announcement(words)); };
}

void add_open_option(CLI::App& command, std::vector<std::string>& words) {
  add_option(command, "--open", words, "forward this port of the node to 127.0.0.1 of this machine: PORT or LOCAL:PORT")
      .type_name("PORT")
      .delimiter(',');
}

std::vector<forward::PortPair> open_ports(const std::vector<std::string>& words) {
  auto read = forward::parse_forward_arguments(words);
  if (!read.run.empty()) {
    throw wrong_value("--open", read.run, "a port", "write it like --open 8888 or --open 8080:8888");
  }
  return read.ports;
}

}  // namespace rv::cli
