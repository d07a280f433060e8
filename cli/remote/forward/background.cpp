#include "cli/remote/forward/background.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/child.h"
#include "base/os/pipe.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::forward {

namespace {

using Json = nlohmann::ordered_json;

/// Returns false if no process receives it.
bool say(int report, const Json& json) {
  const std::string text = json_dump(json);
  return ::write(report, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Closes the caller's output, so that readers of it see its end, and leaves the working folder, so that it can be
/// unmounted.
void let_go_of_everything() {
  const os::Descriptor null = os::null_device();
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null.number(), fd);
  [[maybe_unused]] const int moved = ::chdir("/");
}

[[noreturn]] void run(const ForwardOrder& order, os::Descriptor report) {
  try {
    Forwarder forwarder(order);
    const ForwardRecord record = forwarder.begin();
    if (!say(report.number(), {{"pid", record.pid}})) {  // Ctrl-C, while the ports were being opened
      ::unlink(record_path(order.home, record).c_str());
      ::_exit(static_cast<int>(ExitCode::interrupted));
    }
    report.close();
    let_go_of_everything();
    forwarder.serve();
    ::_exit(0);
  } catch (const Error& fault) {
    if (report.number() >= 0) {
      say(report.number(),
          {{"message", fault.what()}, {"advice", fault.advice()}, {"code", static_cast<int>(fault.code())}});
    }
  } catch (const std::exception& fault) {
    if (report.number() >= 0) say(report.number(), {{"message", fault.what()}, {"advice", ""}, {"code", 125}});
  }
  ::_exit(static_cast<int>(ExitCode::failed));
}

std::string all_of(int fd) {
  std::string text;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ForwardRecord start_in_background(const ForwardOrder& order) {
  os::Pipe report;
  // The caller may be in the middle of something: its descriptors, its signals and their handlers are not the child's.
  sigset_t none;
  ::sigemptyset(&none);
  const os::Child child({.group = os::Group::own_session,
                         .default_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT},
                         .blocked = none,
                         .work = [&] {
                           constexpr int kept = 3;
                           if (report.end(1) != kept) ::dup3(report.end(1), kept, O_CLOEXEC);
                           os::close_from(kept + 1);  // also the other end: with it open, a write would never fail
                           run(order, os::Descriptor(kept));
                           return 0;
                         }});
  report.close_end(1);
  const Json json = parse_json_or_discard<Json>(all_of(report.end(0)));
  if (json.is_object() && json.contains("message")) {
    child.wait();
    throw Error(json["message"].get<std::string>(), json["advice"].get<std::string>(),
                static_cast<ExitCode>(integer_of<int>(json["code"])));
  }
  for (const ForwardRecord& record : read_records(order.home)) {
    if (record.pid == child.pid()) return record;
  }
  throw Error("the forward ended as soon as it had begun", "rv ps shows whether the run has ended");
}

}  // namespace rv::forward
