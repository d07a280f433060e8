#include "stress/message_class.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace rv::stress {
namespace {

constexpr std::size_t longest = 400;

/// docs/stress.md has the same table.
const MessageTable& built_in() {
  static const MessageTable table = {
      {MessageClass::good,
       {"using gpus:", "gpu setup validation", "cuda_visible_devices:", "gpu validation successful",
        "using device: cuda", "using device cuda"}},
      {MessageClass::warning,
       {"no gpus detected", "falling back to cpu", "cannot close a process while it is still running", "out of memory",
        "outofmemoryerror", "no cuda gpus are available", "cuda is not available", "leaked shared_memory objects",
        "leaked semaphore objects"}},
      {MessageClass::critical,
       {"failed to allocate gpu", "process cleanup failed", "gpu allocation deadlock", "deadlock detected",
        "cuda error", "device-side assert", "illegal memory access", "invalid device ordinal",
        "cuda driver version is insufficient", "uncorrectable ecc error", "segmentation fault", "nccl error",
        "gpu has fallen off the bus"}},
  };
  return table;
}

/// Out of memory is a warning, whoever words it as an error of CUDA.
bool is_memory(const std::string& line) {
  return line.find("out of memory") != std::string::npos;
}

std::optional<MessageClass> class_of(const std::string& line, const MessageTable& table) {
  const auto has = [&](MessageClass kind) {
    const auto words = table.find(kind);
    return words != table.end() && std::any_of(words->second.begin(), words->second.end(), [&](const auto& word) {
             return word != "cuda error" || !is_memory(line) ? line.find(word) != std::string::npos : false;
           });
  };
  for (const auto kind : {MessageClass::critical, MessageClass::warning, MessageClass::good}) {
    if (has(kind)) return kind;
  }
  return std::nullopt;
}

/// Without the sequences that colour a terminal.
std::string plain(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
      continue;
    }
    if (line[i] != '\r') out += line[i];
  }
  return one_line(out);
}

}  // namespace

std::string_view to_string(MessageClass kind) {
  switch (kind) {
    case MessageClass::good:
      return "good";
    case MessageClass::warning:
      return "warning";
    case MessageClass::critical:
      break;
  }
  return "critical";
}

MessageTable message_table(const std::map<std::string, std::vector<std::string>>& more) {
  auto table = built_in();
  for (auto& [kind, words] : table) {
    const auto added = more.find(std::string(to_string(kind)));
    if (added == more.end()) continue;
    for (const auto& word : added->second) words.push_back(lower(word));
  }
  return table;
}

std::vector<Message> classify(std::string_view log, const MessageTable& table) {
  std::vector<Message> messages;
  for (int number = 1; !log.empty(); ++number) {
    const auto end = log.find('\n');
    const auto line = plain(log.substr(0, end));
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (const auto kind = class_of(lower(line), table)) messages.push_back({*kind, number, line.substr(0, longest)});
  }
  return messages;
}

}  // namespace rv::stress
