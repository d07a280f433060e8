#include "cli/remote/hop/follow_channel.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/patient_write.h"
#include "cli/remote/hop/marks.h"

namespace rv::remote {

namespace {

constexpr std::size_t part_size = 32768;
constexpr int hung_up = 129;

/// Everything, or the end of this process: the laptop has gone.
void send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ::_exit(hung_up);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// A connection that has not come back for a week will not.
void forget_old(const std::string& notes) {
  constexpr auto kept = std::chrono::hours(24 * 7);
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(notes, fault)) {
    const auto written = entry.last_write_time(fault);
    if (!fault && std::filesystem::file_time_type::clock::now() - written > kept) {
      std::filesystem::remove(entry.path(), fault);
    }
  }
}

void end_when_nobody_reads() {
  pollfd out{STDOUT_FILENO, 0, 0};
  while (::poll(&out, 1, -1) < 0 && errno == EINTR) continue;
  ::_exit(hung_up);
}

}  // namespace

void FollowChannel::follow(const std::string& run, const std::string& notes) {
  os::make_folder(notes);
  forget_old(notes);
  os::write_file(notes + "/" + request_.token, run + "\n");
  send(mark(request_.token, "run " + run));
  std::thread(end_when_nobody_reads).detach();
}

void FollowChannel::resume(monitor::LogFollower& logs) const {
  logs.start_at(request_.resume.offsets);
}

void FollowChannel::begin_output(bool several_nodes, bool all_to_stdout, monitor::Bars bars) const {
  send(mark(request_.token,
            fmt::format("output {} {} {}", several_nodes ? "several" : "one", all_to_stdout ? "together" : "apart",
                        bars == monitor::Bars::as_drawn ? "raw" : "live")));
}

void FollowChannel::write(monitor::Stream stream, std::string_view node, std::string_view text, long long end) {
  const bool out = stream == monitor::Stream::out;
  long long at = end - static_cast<long long>(text.size());
  for (; !text.empty(); text.remove_prefix(std::min(part_size, text.size()))) {
    given_up_ = given_up_ || !os::wait_to_write(STDOUT_FILENO, os::interrupt_waits);
    if (given_up_) return;
    const std::string_view part = text.substr(0, part_size);
    at += static_cast<long long>(part.size());
    const std::string words = fmt::format("log {} {} {} {}", out ? "out" : "err", part.size(), at, node);
    send(mark(request_.token, words) + std::string(part));
  }
}

LogPart parse_log_mark(std::string_view words) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    fields.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  LogPart part;
  if (fields.size() != 5 ||
      std::from_chars(fields[3].data(), fields[3].data() + fields[3].size(), part.end).ec != std::errc()) {
    throw Error("the login node's rv uses another protocol", "this is a bug in rv: please report it");
  }
  part.stream = fields[1] == "out" ? monitor::Stream::out : monitor::Stream::err;
  part.node = fields[4];
  part.file = part.node + "." + std::string(fields[1]);
  return part;
}

}  // namespace rv::remote
