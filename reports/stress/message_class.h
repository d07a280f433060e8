// What a launcher says of GPUs: good, warning, critical.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rv::stress {

enum class MessageClass { good, warning, critical };

std::string_view to_string(MessageClass kind);

/// By class its words: a line that has one of them, in whatever case, belongs to it. Critical wins over warning, and
/// that over good.
using MessageTable = std::map<MessageClass, std::vector<std::string>>;

/// The built-in one, with a site's words behind it (by the class's name, as the settings have them).
MessageTable message_table(const std::map<std::string, std::vector<std::string>>& more);

struct Message {
  MessageClass kind = MessageClass::good;
  int line = 0;      // from 1
  std::string text;  // without colours and control characters, cut where it is very long
};

/// The lines of a log that belong to a class.
std::vector<Message> classify(std::string_view log, const MessageTable& table);

}  // namespace rv::stress
