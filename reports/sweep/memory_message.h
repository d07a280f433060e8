// Messages in a program's output that memory was short.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rv::sweep {

struct MemoryMessage {
  std::string text;  // at most 300 bytes, without a progress bar before it
  bool of_host = false;
};

/// Reads one piece of a line and returns the message in it that a GPU's or the host's memory was not enough, by the
/// catalogue of base/failures/; nothing for other text, and for messages that are also warnings.
std::optional<MemoryMessage> memory_message_in(std::string_view piece);

}  // namespace rv::sweep
