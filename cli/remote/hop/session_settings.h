// The part of ssh's configuration that affects the sessions of a connection.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::remote {

struct SessionSettings {
  bool forward_agent = false;
  bool forward_x11 = false;
  std::vector<std::string> send_env;  // SendEnv: names, with * and ?
  std::vector<std::string> set_env;   // SetEnv: NAME=VALUE

  bool operator==(const SessionSettings&) const = default;
};

/// Parses the output of "ssh -G HOST", or lines of it.
SessionSettings parse_session_settings(std::string_view text);
/// The lines that parse_session_settings() reads.
std::string session_lines(std::string_view text);

/// The variables ("NAME=VALUE") of this environment that ssh would send, and those that it would set.
std::vector<std::string> sent_environment(const SessionSettings& settings, const std::vector<std::string>& environment);

}  // namespace rv::remote
