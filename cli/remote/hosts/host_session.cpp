#include "cli/remote/hosts/host_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>

#include "base/border/refused_input.h"
#include "base/embedded_file.h"
#include "base/error.h"
#include "base/os/child.h"
#include "base/os/pipe.h"
#include "base/os/process.h"
#include "base/os/random_bytes.h"
#include "base/os/unnamed_file.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/remote/hop/remote_script.h"
#include "cli/remote/hop/ssh_failure.h"

namespace rv::remote {
namespace {

std::string_view host_script() {
  for (const EmbeddedFile& file : embedded::remote_scripts()) {
    if (file.name == "host.sh") return file.text;
  }
  throw Error("no script host.sh in this binary", "this is a bug in rv: please report it");
}

/// A separate connection: a shared one would end all its sessions at once, and limits their number.
std::vector<std::string> ssh_words(const Host& host, const std::string& command) {
  return {"ssh",  "-T",
          "-o",   "BatchMode=yes",
          "-o",   "ControlMaster=no",
          "-o",   "ControlPath=none",
          "-o",   "ConnectTimeout=10",
          "-o",   "ServerAliveInterval=5",
          "-o",   "ServerAliveCountMax=3",
          "-o",   "LogLevel=ERROR",
          "-o",   "RemoteCommand=none",
          "-o",   "ClearAllForwardings=yes",
          "-o",   "ForwardAgent=no",
          "-o",   "ForwardX11=no",
          "-o",   "PermitLocalCommand=no",
          "--",   host.target,
          command};
}

/// The bytes that have been written to it.
std::string text_of(int file) {
  std::string text(65536, '\0');
  const ssize_t count = ::pread(file, text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

}  // namespace

HostSession::HostSession(Host host, const KnownWorkers& workers, Sink sink)
    : host_(std::move(host)), token_(os::random_hex(8)), sink_(std::move(sink)), marks_(token_) {
  os::Pipe in;
  os::Pipe out;
  log_ = os::unnamed_file();
  ::fcntl(log_.number(), F_SETFL, O_APPEND);
  const auto script = host_script();
  sigset_t none;
  ::sigemptyset(&none);
  // Ctrl-C is for rv, which ends the hosts' sides in good order.
  const os::Child child(
      {.argv = ssh_words(host_, remote_command("begin_host.sh", {token_, std::to_string(script.size())})),
       .in = in.end(0),
       .out = out.end(1),
       .err = log_.number(),
       .group = os::Group::own,
       .default_signals = {SIGPIPE},
       .blocked = none});
  if (child.wait_for_start()) throw Error("ssh can't be started", "install it (Debian: openssh-client)");
  pid_ = child.pid();
  to_ = in.take_end(1);
  from_ = out.take_end(0);
  ::fcntl(to_.number(), F_SETFL, O_NONBLOCK);
  ::fcntl(from_.number(), F_SETFL, O_NONBLOCK);
  queue_.push_back(std::make_shared<const std::string>(script));
  send_line(workers.folder);
  send_line(std::to_string(workers.sums.size()));
  for (const auto& sum : workers.sums) send_line(sum);
}

HostSession::~HostSession() {
  drop();
}

void HostSession::drop() {
  for (auto* const end : {&to_, &from_}) {
    if (loop_ != nullptr && end->number() >= 0) loop_->forget(end->number());
    end->close();
  }
  over_ = true;
  queue_.clear();
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  for (int i = 0; i < 200 && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++i) {
    if (i == 100) ::kill(pid_, SIGKILL);
    ::usleep(10'000);
  }
  pid_ = -1;
}

void HostSession::send_line(const std::string& line) {
  if (over_) return;
  if (one_line(line) != line) {
    throw Error(fmt::format("can't send a control character to {}: {}", host_.name.text(), one_line(line)),
                "rename the file or option that contains it");
  }
  queue_.push_back(std::make_shared<const std::string>(line + "\n"));
}

void HostSession::send_file(const std::string& name, const std::string& mode, Bytes content) {
  if (!is_report_folder(name) || name.find(' ') != std::string::npos || mode.find(' ') != std::string::npos) {
    throw Error(fmt::format("the file {} can't be sent to {}: its name has a blank, or leads out of its folder",
                            one_line(name), host_.name.text()),
                "rename it");
  }
  send_line(fmt::format("file {} {} {}", name, mode, content->size()));
  queue_.push_back(std::move(content));
  sends_files_ = true;
}

void HostSession::start(int rank, int nodes, const MeetingPoint& meeting, int port, int slots) {
  send_line(fmt::format("start {} {} {} {} {} {}", rank, nodes, meeting.text(), port, slots, host_.name.text()));
  started_ = true;
}

void HostSession::watch(os::PollLoop& loop) {
  loop_ = &loop;
  loop.watch(
      to_.number(), [this] { return static_cast<short>(queue_.empty() ? 0 : POLLOUT); }, [this](short) { feed(); });
  loop.watch(
      from_.number(), [] { return static_cast<short>(POLLIN); }, [this](short) { drain(); });
}

void HostSession::feed() {
  const os::HoldPipeSignal guard;
  while (!queue_.empty()) {
    const auto& first = *queue_.front();
    const ssize_t count = ::write(to_.number(), first.data() + sent_, first.size() - sent_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {  // its end is seen where its output ends
      queue_.clear();
      sent_ = 0;
      return;
    }
    if (sends_files_) last_sign_ = Clock::now();  // it sends nothing while it receives files
    sent_ += static_cast<std::size_t>(count);
    if (sent_ < first.size()) continue;
    queue_.pop_front();
    sent_ = 0;
  }
  sends_files_ = false;
}

void HostSession::drain() {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(from_.number(), buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count > 0) {
    bytes_came({buffer.data(), static_cast<std::size_t>(count)});
    return;
  }
  drop();
}

void HostSession::bytes_came(std::string_view bytes) {
  // Output before the work begins comes from the login shell.
  const MarkReader::Sink sink{
      .text =
          [this](std::string_view text) {
            if (started_) sink_.output(text);
          },
      .mark = [this](std::string_view words, std::string_view payload) { take_mark(words, payload); }};
  try {
    marks_.feed(bytes, sink);
  } catch (const RefusedInput& refusal) {
    refused_ = refusal.what();
    drop();
  }
}

/// The requested output follows it.
void HostSession::refuse_before_start(std::string_view what) const {
  if (!started_) throw RefusedInput(fmt::format("{} before the work began", what));
}

void HostSession::take_mark(std::string_view words, std::string_view payload) {
  last_sign_ = Clock::now();
  if (words.starts_with("fact ")) {
    if (ready_) throw RefusedInput("facts after it was ready");
    note_fact(facts_, words.substr(5), token_);
  }
  if (words == "ready") ready_ = true;
  if (words == "clean") clean_ = true;
  if (words.starts_with("log ")) {
    refuse_before_start("reports");
    sink_.reports(read_report_archive(payload, sink_.kind));
  }
  if (words.starts_with("ended ")) {
    refuse_before_start("the end of the work");
    int code = 0;
    std::from_chars(words.data() + 6, words.data() + words.size(), code);
    ended_ = code;
  }
}

Error HostSession::failure() const {
  return ssh_failure(text_of(log_.number()), host_.name);
}

std::vector<std::string> end_what_is_left(const std::vector<const HostSession*>& sessions) {
  std::vector<os::Command> commands;
  std::vector<const HostSession*> asked;
  for (const auto* const session : sessions) {
    if (session->clean() || session->facts().folder.empty()) continue;
    asked.push_back(session);
    commands.push_back({.argv = ssh_words(session->host(), remote_command("end_host.sh", {session->token()})),
                        .input = {},
                        .deadline = std::chrono::seconds(10),
                        .environment = all_variables(),
                        .folder = {}});
  }
  const auto results = os::run_all(commands);
  std::vector<std::string> left;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (results[i].out.find(mark(asked[i]->token(), "clean")) == std::string::npos) {
      left.push_back(asked[i]->host().name);
    }
  }
  return left;
}

}  // namespace rv::remote
