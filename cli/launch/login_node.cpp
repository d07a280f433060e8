#include "cli/launch/login_node.h"

#include "base/os/host_name.h"
#include "base/os/user_name.h"

namespace rv::cli {

bool is_this_machine(const std::string& host) {
  const auto at = host.rfind('@');  // as ssh reads it
  if (at != std::string::npos && host.substr(0, at) != os::effective_user_name()) return false;
  const std::string name = at == std::string::npos ? host : host.substr(at + 1);
  const std::string here = os::host_name();
  const bool both_full = name.find('.') != std::string::npos && here.find('.') != std::string::npos;
  return name == here || (!both_full && name.substr(0, name.find('.')) == here.substr(0, here.find('.')));
}

std::optional<HostSettings> login_node(const Invocation& invocation) {
  if (invocation.hop) return std::nullopt;
  HostSettings settings = read_host_settings();
  // -H goes before the settings, which name rv's home for their own host only.
  if (!invocation.host.empty() && invocation.host != settings.host) settings = {invocation.host, "", settings.sync};
  if (settings.host.empty() || is_this_machine(settings.host)) return std::nullopt;
  return settings;
}

}  // namespace rv::cli
