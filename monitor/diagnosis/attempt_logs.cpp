#include "monitor/diagnosis/attempt_logs.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/text.h"

namespace rv::monitor {
namespace {

constexpr std::size_t longest_line = 200;  // bytes; it is stored in the ledger

std::map<std::string, long long> sizes_before(const RunFacts& facts) {
  std::map<std::string, long long> sizes;
  for (const auto& entry : facts.ledger) {
    if (entry.kind != EntryKind::exit || entry.attempt >= facts.standing.attempt) continue;
    const auto exit = exit_record(entry);
    if (!exit) continue;
    for (const auto& [file, bytes] : exit->log_sizes) sizes[file] = std::max(sizes[file], bytes);
  }
  return sizes;
}

std::string_view last_text(const LogTail& log) {
  const auto has_text = [](const std::string& line) { return line.find_first_not_of(" \t\r") != std::string::npos; };
  const auto last = std::find_if(log.lines.rbegin(), log.lines.rend(), has_text);
  return last == log.lines.rend() ? std::string_view() : std::string_view(*last);
}

}  // namespace

void keep_present_attempt(const RunFacts& facts, std::vector<LogTail>& logs) {
  if (facts.standing.attempt == 1) return;
  const auto before = sizes_before(facts);
  for (auto& log : logs) {
    const auto known = before.find(log.file.substr(log.file.rfind('/') + 1));
    if (log.node.empty() || known == before.end()) continue;
    std::size_t dropped = 0;
    auto end = log.begin;
    for (; dropped < log.lines.size(); ++dropped) {
      end += static_cast<long long>(log.lines[dropped].size()) + 1;
      if (end > known->second) break;
    }
    log.lines.erase(log.lines.begin(), log.lines.begin() + static_cast<std::ptrdiff_t>(dropped));
    if (log.first_line) *log.first_line += static_cast<long>(dropped);
  }
  std::erase_if(logs, [](const LogTail& log) { return log.lines.empty(); });
}

std::string last_line_of(const std::vector<LogTail>& logs) {
  std::string_view found;
  bool of_stderr = false;
  for (const auto& log : logs) {
    const bool err = log.file.ends_with(".err");
    if (log.node.empty() || (!found.empty() && (!err || of_stderr))) continue;
    const auto text = last_text(log);
    if (text.empty()) continue;
    found = text;
    of_stderr = err;
  }
  return one_line(found.substr(0, longest_line));
}

}  // namespace rv::monitor
