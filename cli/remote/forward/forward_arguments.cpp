#include "cli/remote/forward/forward_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/wrong_value.h"
#include "shared/number.h"

namespace rv::forward {

namespace {

constexpr std::size_t longest_port = 5;

bool digits(std::string_view text) {
  return !text.empty() && text.size() <= longest_port && text.find_first_not_of("0123456789") == std::string_view::npos;
}

int port(std::string_view text, const std::string& word) {
  if (const auto number = number_in<int>(text, 1, 65535)) return *number;
  throw wrong_value("port", word, "ports from 1 to 65535", "write it like 8888 or 8080:8888");
}

std::optional<PortPair> port_pair(const std::string& word) {
  const std::string_view text = word;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    if (!digits(text)) return std::nullopt;
    return PortPair{port(text, word), port(text, word)};
  }
  if (!digits(text.substr(0, colon)) || !digits(text.substr(colon + 1))) {
    throw wrong_value("port", word, "two ports, LOCAL:NODE",
                      "write 8080:8888 for port 8888 of the node at port 8080 of this machine");
  }
  return PortPair{port(text.substr(0, colon), word), port(text.substr(colon + 1), word)};
}

}  // namespace

ForwardArguments parse_forward_arguments(const std::vector<std::string>& words) {
  ForwardArguments parsed;
  for (const std::string& word : words) {
    if (const auto pair = port_pair(word)) {
      const bool twice = std::any_of(parsed.ports.begin(), parsed.ports.end(),
                                     [&](const PortPair& other) { return other.local == pair->local; });
      if (twice) {
        throw Error(fmt::format("port {} of this machine is given twice", pair->local),
                    "write another local port for one of them, like 8080:8888", ExitCode::usage);
      }
      parsed.ports.push_back(*pair);
    } else if (parsed.run.empty()) {
      parsed.run = word;
    } else {
      throw Error(fmt::format("\"{}\" and \"{}\" would be two runs; rv forward takes one", parsed.run, word),
                  "call rv forward once for each run; a port is a number from 1 to 65535", ExitCode::usage);
    }
  }
  return parsed;
}

}  // namespace rv::forward
