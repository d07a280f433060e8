// The server of rv mcp: reads messages from stdin, calls rv, and writes messages to stdout.
#pragma once

#include <memory>
#include <string>

#include "cli/mcp/rv_child.h"
#include "cli/mcp/session.h"
#include "cli/mcp/tool_calls.h"

namespace rv::mcp {

class Server {
 public:
  /// `calls` outlives this.
  Server(ToolCalls& calls, Json tools);

  /// Serves until stdin ends, stdout is closed or a signal asks rv to end. Returns rv's exit code. A run that is being
  /// started or stopped at that time is waited for and recorded; other work is dropped.
  int serve();

 private:
  void read_input();
  void take(std::string_view bytes);
  void start_next();
  void poll_child();
  void send(const Json& message);

  ToolCalls& calls_;
  Session session_;
  std::string line_;         // without its end so far
  bool skips_line_ = false;  // it was too long: its rest is not read
  bool input_ended_ = false;
  Work work_;  // of the first call of the session, if child_ is there
  std::unique_ptr<RvChild> child_;
};

}  // namespace rv::mcp
