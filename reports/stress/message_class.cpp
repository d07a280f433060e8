#include "reports/stress/message_class.h"

#include <algorithm>
#include <optional>

#include "base/failures/message.h"
#include "base/text.h"

namespace rv::stress {
namespace {

constexpr std::size_t longest = 400;

/// What only launchers write; other failures are in the catalogue of base/failures/. docs/stress.md has the same table.
const MessageTable& built_in() {
  static const MessageTable table = {
      {MessageClass::good,
       {"using gpus:", "gpu setup validation", "cuda_visible_devices:", "gpu validation successful",
        "using device: cuda", "using device cuda"}},
      {MessageClass::warning,
       {"no gpus detected", "falling back to cpu", "cannot close a process while it is still running",
        "cuda is not available", "leaked shared_memory objects", "leaked semaphore objects"}},
      {MessageClass::critical,
       {"failed to allocate gpu", "process cleanup failed", "gpu allocation deadlock", "deadlock detected",
        "invalid device ordinal", "segmentation fault"}},
  };
  return table;
}

/// What a failure's message means for a launcher: memory that was not enough, or no GPU, is a case that it must handle;
/// an error of a GPU, of the node or between ranks is not.
std::optional<MessageClass> class_by_cause(std::string_view line) {
  const auto match = failures::cause_in(line);
  if (!match) return std::nullopt;
  using failures::Cause;
  switch (match->cause) {
    case Cause::cuda_out_of_memory:
    case Cause::out_of_memory:
    case Cause::shared_memory:
    case Cause::no_gpu_seen:
      return MessageClass::warning;
    case Cause::gpu_hardware:
    case Cause::gpu_contained:
    case Cause::gpu_driver:
    case Cause::gpu_busy:
    case Cause::driver_too_old:
    case Cause::wrong_kernel:
    case Cause::cuda_error:
    case Cause::nccl:
    case Cause::network_hardware:
      return MessageClass::critical;
    default:
      return std::nullopt;
  }
}

std::optional<MessageClass> class_of(const std::string& line, const MessageTable& table) {
  const auto by_cause = class_by_cause(line);
  const auto small = lower(line);
  for (const auto kind : {MessageClass::critical, MessageClass::warning, MessageClass::good}) {
    if (by_cause == kind) return kind;
    const auto words = table.find(kind);
    if (words == table.end()) continue;
    if (std::any_of(words->second.begin(), words->second.end(),
                    [&](const auto& word) { return small.find(word) != std::string::npos; })) {
      return kind;
    }
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
    if (const auto kind = class_of(line, table)) messages.push_back({*kind, number, line.substr(0, longest)});
  }
  return messages;
}

}  // namespace rv::stress
