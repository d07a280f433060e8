#include "cli/remote/forward/forwarder.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is POSIX
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "base/error.h"
#include "cli/remote/forward/local_port.h"
#include "cli/remote/forward/relay.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

os::Descriptor caught_rereads() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, reread_signal());
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return os::Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace

Forwarder::Forwarder(ForwardOrder order)
    : order_(std::move(order)),
      link_(loop_, order_.there, [this](const Frame& frame) { receive(frame); }),
      channels_(
          loop_,
          [this](const Frame& frame) {
            if (link_.connected()) link_.pipe().send(frame);
          },
          [this] { return link_.connected() && !link_.pipe().congested(); }),
      signals_(caught_rereads()) {
  allow_many_descriptors();
}

ForwardRecord Forwarder::begin() {
  RelayRequest request{
      .run = order_.run, .node = order_.node, .ports = {}, .automatic = order_.automatic, .targets = {}};
  for (const PortPair& pair : order_.ports) request.ports.push_back(pair.remote);
  const AgreedTargets agreed = link_.connect(request);
  listen(agreed);
  record_ = own_record();
  record_.login_node = order_.there ? order_.there->host : "";
  record_.run = agreed.run();
  record_.name = agreed.name();
  record_.state = "open";
  for (const Listening& listening : listening_) record_.ports.push_back(listening.port);
  write_record(order_.home, record_);
  return record_;
}

void Forwarder::listen(const AgreedTargets& agreed) {
  const auto& targets = agreed.targets();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    // A port that rv found gets any free unprivileged port; a port that the user named gets exactly that one.
    const int port = i < order_.ports.size() ? order_.ports[i].local : free_port(targets[i].port);
    listening_.push_back({.port = {.local = port, .target = targets[i]}, .socket = listen_at(port, targets[i].port)});
    const int fd = listening_.back().socket.number();
    loop_.watch(
        fd, [this] { return static_cast<short>(link_.connected() && !paused_ ? POLLIN : 0); },
        [this, fd](short) {
          const auto found = std::find_if(listening_.begin(), listening_.end(),
                                          [&](const Listening& one) { return one.socket.number() == fd; });
          accept_one(static_cast<std::size_t>(found - listening_.begin()));
        });
  }
}

void Forwarder::accept_one(std::size_t place) {
  const Listening& listening = listening_.at(place);
  os::Descriptor socket(::accept4(listening.socket.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket.number() < 0) {
    // Without free descriptors no connection is accepted until another one ends.
    if (errno == EMFILE || errno == ENFILE) pause_listening(true);
    return;
  }
  const std::uint32_t channel = next_channel_++;
  channels_.add(channel, std::move(socket), false);
  const Target& target = listening.port.target;
  link_.pipe().send(
      {.kind = FrameKind::open, .channel = channel, .payload = fmt::format("{} {}", target.node, target.port)});
}

void Forwarder::receive(const Frame& frame) {
  if (frame.kind == FrameKind::over) {
    over_ = true;
    return;
  }
  if (frame.kind == FrameKind::refused) set_refusal(frame.payload);
  if (frame.kind == FrameKind::opened) set_refusal("");
  channels_.take(frame);
}

void Forwarder::reread() {
  const auto records = read_records(order_.home);
  const auto own = std::find_if(records.begin(), records.end(), [&](const ForwardRecord& record) {
    return record.machine == record_.machine && record.pid == record_.pid;
  });
  record_.ports = own == records.end() ? std::vector<ForwardedPort>() : own->ports;
  std::erase_if(listening_, [&](const Listening& listening) {
    const bool kept = std::any_of(record_.ports.begin(), record_.ports.end(),
                                  [&](const ForwardedPort& port) { return port.local == listening.port.local; });
    if (!kept) loop_.forget(listening.socket.number());
    return !kept;
  });
}

void Forwarder::set_state(const std::string& state) {
  reread();  // another rv may just have taken a port away
  record_.state = state;
  if (!listening_.empty()) write_record(order_.home, record_);
}

void Forwarder::set_refusal(const std::string& refusal) {
  if (record_.refusal == refusal) return;
  record_.refusal = refusal;
  set_state(record_.state);
}

void Forwarder::serve() {
  loop_.watch(
      signals_.number(), [] { return static_cast<short>(POLLIN); },
      [this](short) {
        signalfd_siginfo info{};
        while (::read(signals_.number(), &info, sizeof info) == sizeof info) continue;
        reread();
      });
  while (!over_ && !listening_.empty()) {
    loop_.run_once(1s);
    pause_listening(false);
    if (!over_ && !link_.connected()) reconnect();
  }
  channels_.reset_all();
  ::unlink(record_path(order_.home, record_).c_str());
}

void Forwarder::reconnect() {
  link_.close();
  channels_.reset_all();
  set_state("reconnecting");
  RelayRequest request{.run = record_.run, .node = "", .ports = {}, .automatic = false, .targets = {}};
  // Logging in again and again, where only a person can, would get the address barred: the pauses grow, and when
  // the user has logged in serves that connection.
  std::chrono::milliseconds pause = 500ms;
  auto next = Clock::now();
  bool was_open = true;
  while (!listening_.empty()) {
    const bool open = link_.login_is_open();
    if (Clock::now() >= next || (open && !was_open)) {
      request.targets.clear();
      for (const Listening& listening : listening_) request.targets.push_back(listening.port.target);
      try {
        link_.connect(request);
        set_state("open");
        return;
      } catch (const Error& trouble) {
        if (trouble.code() == ExitCode::no_such_run) {
          over_ = true;
          return;
        }
      }
      pause = std::min<std::chrono::milliseconds>(pause * 2, 10min);
      next = Clock::now() + pause;
    }
    was_open = open;
    loop_.run_once(std::min<std::chrono::milliseconds>(pause, 2s));
  }
}

}  // namespace rv::forward
