#include "cli/remote/forward/relay.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <charconv>
#include <utility>
#include <vector>

namespace rv::forward {

using namespace std::chrono_literals;

Relay::Relay(int in, int out, PortOwner owner)
    : pipe_(loop_, in, out, [this](const Frame& frame) { receive(frame); }),
      listener_(loop_,
                [this](os::Descriptor socket) {
                  line_ = std::make_unique<FrameSocket>(loop_, std::move(socket),
                                                        [this](const Frame& frame) { receive(frame); });
                  line_->pipe.greet();
                }),
      channels_(
          loop_, [this](const Frame& frame) { near_end().send(frame); }, [this] { return !near_end().congested(); }),
      dialler_(loop_),
      owner_(std::move(owner)) {
  pipe_.greet();
  pipe_.send({.kind = FrameKind::line, .channel = 0, .payload = to_text(listener_.offer())});
}

void Relay::turn() {
  loop_.run_once(1s);
  dialler_.check_time();
  listener_.check_time();
}

void Relay::refuse(std::uint32_t channel, const std::string& fault) {
  near_end().send({.kind = FrameKind::refused, .channel = channel, .payload = fault});
}

void Relay::receive(const Frame& frame) {
  if (frame.kind == FrameKind::open) {
    open(frame);
  } else if (frame.kind == FrameKind::ask) {
    const auto answer = owner_.ask(open_target(frame.payload).port);
    near_end().send(
        {.kind = FrameKind::answer, .channel = frame.channel, .payload = answer.doors.empty() ? answer.refusal : ""});
  } else {
    channels_.take(frame);
  }
}

void Relay::open(const Frame& frame) {
  const OpenTarget target = open_target(frame.payload);
  const auto answer = owner_.ask(target.port);
  if (answer.doors.empty()) {
    refuse(frame.channel, answer.refusal.empty()
                              ? fmt::format("nothing listens on port {} of {}", target.port, target.node)
                              : answer.refusal);
    return;
  }
  std::vector<Address> addresses;
  for (const auto& door : answer.doors) addresses.push_back(address_of(door.address, door.port));
  dialler_.dial(std::move(addresses), [this, channel = frame.channel, target, doors = answer.doors](
                                          os::Descriptor socket, std::size_t place, const std::string& fault) {
    if (socket.number() < 0) {
      refuse(channel, fmt::format("port {} of {}: {}", target.port, target.node, fault));
    } else if (!owner_.unchanged(doors[place])) {
      refuse(channel, fmt::format("port {} of {} now belongs to another process", target.port, target.node));
    } else {
      channels_.add(channel, std::move(socket), true);
      near_end().send({.kind = FrameKind::opened, .channel = channel, .payload = ""});
    }
  });
}

OpenTarget open_target(const std::string& payload) {
  OpenTarget target;
  const std::size_t blank = payload.find(' ');
  if (blank == std::string::npos) return target;
  target.node = payload.substr(0, blank);
  std::from_chars(payload.data() + blank + 1, payload.data() + payload.size(), target.port);
  return target;
}

void allow_many_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace rv::forward
