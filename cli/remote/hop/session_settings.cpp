#include "cli/remote/hop/session_settings.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rv::remote {

namespace {

constexpr std::array<std::string_view, 4> keys{"forwardagent", "forwardx11", "sendenv", "setenv"};

template <typename Take>
void for_each_line(std::string_view text, Take&& take) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, blank);
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) take(line, key, line.substr(blank + 1));
  }
}

}  // namespace

SessionSettings parse_session_settings(std::string_view text) {
  SessionSettings settings;
  for_each_line(text, [&](std::string_view, std::string_view key, std::string_view value) {
    // ForwardAgent may name another socket than the environment's.
    if (key == "forwardagent") settings.forward_agent = value != "no";
    if (key == "forwardx11") settings.forward_x11 = value != "no";
    if (key == "sendenv") settings.send_env.emplace_back(value);
    if (key == "setenv") settings.set_env.emplace_back(value);
  });
  return settings;
}

std::string session_lines(std::string_view text) {
  std::string out;
  for_each_line(text,
                [&](std::string_view line, std::string_view, std::string_view) { out.append(line).append("\n"); });
  return out;
}

std::vector<std::string> sent_environment(const SessionSettings& settings,
                                          const std::vector<std::string>& environment) {
  std::vector<std::string> sent;
  for (const std::string& variable : environment) {
    const std::string name = variable.substr(0, variable.find('='));
    const bool wanted = std::any_of(settings.send_env.begin(), settings.send_env.end(), [&](const auto& pattern) {
      return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
    if (wanted) sent.push_back(variable);
  }
  sent.insert(sent.end(), settings.set_env.begin(), settings.set_env.end());
  return sent;
}

}  // namespace rv::remote
