#include "cli/forward/relay.h"

#include <sys/resource.h>

#include <charconv>
#include <utility>

namespace rv::cli::forward {

using namespace std::chrono_literals;

Relay::Relay(int in, int out, Addresses addresses, Otherwise otherwise)
    : pipe_(loop_, in, out, [this](const Frame& frame) { receive(frame); }),
      channels_(
          loop_, [this](const Frame& frame) { pipe_.send(frame); }, [this] { return !pipe_.congested(); }),
      dialler_(loop_),
      addresses_(std::move(addresses)),
      otherwise_(std::move(otherwise)) {}

void Relay::turn() {
  loop_.run_once(1s);
  dialler_.check_time();
}

void Relay::refuse(std::uint32_t channel, const std::string& fault) {
  pipe_.send({.kind = FrameKind::refused, .channel = channel, .payload = fault});
}

void Relay::receive(const Frame& frame) {
  if (frame.kind == FrameKind::open) {
    open(frame);
  } else if (!channels_.take(frame)) {
    otherwise_(frame, "");
  }
}

void Relay::open(const Frame& frame) {
  const OpenTarget target = open_target(frame.payload);
  dialler_.dial(addresses_(target.node, target.port), [this, frame](Descriptor socket, const std::string& fault) {
    if (socket.number() < 0) {
      otherwise_(frame, fault);
      return;
    }
    channels_.add(frame.channel, std::move(socket), true);
    pipe_.send({.kind = FrameKind::opened, .channel = frame.channel, .payload = ""});
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

}  // namespace rv::cli::forward
