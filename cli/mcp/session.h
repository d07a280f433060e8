// The connection with one client (Model Context Protocol): responds at once to what needs no tool, and queues calls of
// tools.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "cli/mcp/message.h"

namespace rv::mcp {

/// A `tools/call` that waits or is being worked on.
struct QueuedCall {
  Json id;
  std::string tool;
  Json arguments;
  bool cancelled = false;  // the client does not wait for a response any more
};

class Session {
 public:
  using Send = std::function<void(const Json& message)>;

  /// `tools`: the result of tools/list. `send` gets each response.
  Session(Json tools, Send send);

  /// Takes one line, without its newline.
  void receive(std::string_view line);
  /// Responds to a line that was longer than longest_message and was not read.
  void refuse_long_line();

  bool has_call() const { return !calls_.empty(); }
  const QueuedCall& first_call() const { return calls_.front(); }
  /// Removes the first call from the queue, and sends its result unless the client has cancelled it.
  void respond_to_first(const Json& result);

 private:
  void take_notification(const Message& message);
  void take_request(const Message& message);
  void initialize(const Message& message);
  void call_tool(const Message& message);
  void refuse(const Json& id, FaultCode code, const std::string& reason);

  Json tools_;
  Send send_;
  bool initialized_ = false;
  std::deque<QueuedCall> calls_;
};

}  // namespace rv::mcp
