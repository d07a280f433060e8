#include "cli/mcp/answers.h"

#include <fmt/format.h>

#include "base/error.h"

namespace rv::mcp {

std::optional<Answers::Answer> Answers::find(const std::vector<std::string>& command_line,
                                             Clock::time_point now) const {
  const auto found = entries_.find(command_line);
  if (found == entries_.end() || now - found->second.time >= lifetime) return std::nullopt;
  return Answer{found->second.result, std::chrono::duration_cast<std::chrono::seconds>(now - found->second.time)};
}

void Answers::store(const std::vector<std::string>& command_line, const os::Result& result, Clock::time_point now) {
  std::erase_if(entries_, [&](const auto& entry) { return now - entry.second.time >= lifetime; });
  entries_[command_line] = {result, now};
}

void Answers::count_query(Clock::time_point now) {
  while (!queries_.empty() && now - queries_.front() >= lifetime) queries_.pop_front();
  if (queries_.size() >= most_queries) {
    const auto wait = std::chrono::ceil<std::chrono::seconds>(queries_.front() + lifetime - now);
    throw Error(fmt::format("more than {} different calls in {} seconds", most_queries, lifetime.count()),
                fmt::format("wait {} seconds; a call that was answered already can be repeated now", wait.count()));
  }
  queries_.push_back(now);
}

}  // namespace rv::mcp
