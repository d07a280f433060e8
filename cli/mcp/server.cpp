#include "cli/mcp/server.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/os/interrupt.h"
#include "base/os/patient_write.h"
#include "base/os/pipe.h"
#include "cli/mcp/tool_result.h"
#include "shared/documents/json_dump.h"

namespace rv::mcp {
namespace {

/// How often the child's end is polled for.
constexpr int poll_ms = 20;
/// After a signal, a response waits this long for a client that does not read.
constexpr std::chrono::seconds longest_last_write{1};

}  // namespace

Server::Server(ToolCalls& calls, Json tools)
    : calls_(calls), session_(std::move(tools), [this](const Json& message) { send(message); }) {}

int Server::serve() {
  const os::HoldPipeSignal guard;
  os::catch_interrupts();
  for (;;) {
    const bool ends = input_ended_ || os::interrupt_waits();
    if (ends && (child_ == nullptr || work_.cancellable)) break;
    if (!ends) start_next();
    pollfd input{ends ? -1 : STDIN_FILENO, POLLIN, 0};
    // A signal may come just before poll(2): it must not wait for the next message.
    const int count = ::poll(&input, 1, child_ == nullptr ? 500 : poll_ms);
    if (count > 0 && !ends) read_input();
    if (child_ != nullptr) poll_child();
  }
  if (child_ != nullptr) child_->kill();
  return os::interrupt_waits() ? os::interrupt_exit_code() : 0;
}

void Server::read_input() {
  std::array<char, 65536> buffer;
  const auto count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {
    input_ended_ = true;
  } else {
    take({buffer.data(), static_cast<std::size_t>(count)});
  }
}

void Server::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    if (!skips_line_) line_ += part;
    if (!skips_line_ && line_.size() > longest_message) {
      skips_line_ = true;
      session_.refuse_long_line();
    }
    if (end == std::string_view::npos) return;
    if (!skips_line_) session_.receive(line_);
    line_.clear();
    skips_line_ = false;
    bytes.remove_prefix(end + 1);
  }
}

void Server::start_next() {
  while (child_ == nullptr && session_.has_call()) {
    const auto& call = session_.first_call();
    if (call.cancelled) {
      session_.respond_to_first({});
      continue;
    }
    try {
      work_ = calls_.begin(call.tool, call.arguments);
      if (!work_.result) child_ = std::make_unique<RvChild>(work_.arguments, work_.deadline);
    } catch (const std::exception& fault) {
      work_ = {.result = failed_result(fault)};
    }
    if (work_.result) session_.respond_to_first(*work_.result);
  }
}

void Server::poll_child() {
  if (work_.cancellable && session_.first_call().cancelled) {
    child_->kill();
    child_.reset();
    return session_.respond_to_first({});
  }
  if (!child_->has_ended()) return;
  try {
    work_.result = work_.finish(child_->result());
  } catch (const std::exception& fault) {
    work_.result = failed_result(fault);
  }
  child_.reset();
  session_.respond_to_first(*work_.result);
}

void Server::send(const Json& message) {
  const auto begin = std::chrono::steady_clock::now();
  const auto give_up = [begin] {
    return os::interrupt_waits() && std::chrono::steady_clock::now() - begin >= longest_last_write;
  };
  // Without a reader there is nobody to serve, as after the end of stdin.
  const auto line = ascii_json_dump(message) + '\n';
  if (os::write_patiently(STDOUT_FILENO, line, give_up) != os::Written::all) input_ended_ = true;
}

}  // namespace rv::mcp
