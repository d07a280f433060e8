#include "base/os/poll_loop.h"

#include <poll.h>

#include <utility>
#include <vector>

namespace rv::os {

void PollLoop::watch(int fd, Wants wants, Ready ready) {
  sources_[fd] = {.number = next_++, .wants = std::move(wants), .ready = std::move(ready)};
}

void PollLoop::run_once(std::chrono::milliseconds at_most) {
  std::vector<pollfd> waiting;
  std::vector<std::uint64_t> numbers;
  for (const auto& [fd, source] : sources_) {
    const short events = source.wants();
    if (events == 0) continue;
    waiting.push_back({.fd = fd, .events = events, .revents = 0});
    numbers.push_back(source.number);
  }
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(at_most.count())) <= 0) return;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].revents == 0) continue;
    const auto source = sources_.find(waiting[i].fd);
    if (source == sources_.end() || source->second.number != numbers[i]) continue;
    const Ready ready = source->second.ready;  // it may forget itself
    ready(waiting[i].revents);
  }
}

}  // namespace rv::os
