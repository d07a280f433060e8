#include "cli/remote/forward/stop_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace rv::forward {

namespace {

bool means(const std::string& word, const ForwardRecord& record, const ForwardedPort& port) {
  return word == std::to_string(port.local) || word == record.run || word == record.name;
}

}  // namespace

std::vector<std::pair<ForwardRecord, std::vector<int>>> ports_to_stop(const std::vector<ForwardRecord>& records,
                                                                      const std::vector<std::string>& words,
                                                                      const std::string& machine) {
  const bool all = std::find(words.begin(), words.end(), "all") != words.end();
  if (words.empty() && records.size() != 1) {
    throw Error(
        records.empty() ? "nothing is forwarded" : "there are several forwards",
        records.empty() ? "rv forward PORT forwards a port" : "name a local port, a run, or all; rv forward --list",
        ExitCode::usage);
  }
  for (const std::string& word : words) {
    const bool known = std::any_of(records.begin(), records.end(), [&](const ForwardRecord& record) {
      return std::any_of(record.ports.begin(), record.ports.end(),
                         [&](const ForwardedPort& port) { return means(word, record, port); });
    });
    if (!known && word != "all") {
      throw Error(fmt::format("\"{}\" is not forwarded", word), "rv forward --list lists all forwards",
                  ExitCode::usage);
    }
  }
  std::vector<std::pair<ForwardRecord, std::vector<int>>> chosen;
  for (const ForwardRecord& record : records) {
    std::vector<int> ports;
    for (const ForwardedPort& port : record.ports) {
      const bool meant = all || words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
                           return means(word, record, port);
                         });
      if (meant) ports.push_back(port.local);
    }
    if (ports.empty() || (all && record.machine != machine)) continue;
    if (record.machine != machine) {
      throw Error(fmt::format("port {} is forwarded on {}", ports.front(), record.machine),
                  fmt::format("run rv forward --stop there"), ExitCode::usage);
    }
    chosen.emplace_back(record, ports);
  }
  return chosen;
}

}  // namespace rv::forward
