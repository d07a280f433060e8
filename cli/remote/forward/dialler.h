// Connecting to ports without waiting for any of them.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/os/poll_loop.h"
#include "shared/system/descriptor.h"

namespace rv::forward {

/// An IPv4 or IPv6 address, as digits; a name is none.
struct Address {
  sockaddr_storage socket{};
  socklen_t size = 0;
};
std::optional<Address> numeric_address(const std::string& text, int port);
/// An address of 4 or 16 bytes in network order.
Address address_of(const std::string& bytes, int port);

class Dialler {
 public:
  /// The connected socket and the place of its address in the list, or no socket and why.
  using Done = std::function<void(os::Descriptor socket, std::size_t place, const std::string& fault)>;

  explicit Dialler(os::PollLoop& loop) : loop_(loop) {}
  ~Dialler();
  Dialler(const Dialler&) = delete;
  Dialler& operator=(const Dialler&) = delete;

  /// Tries the addresses one after the other, each for three seconds.
  void dial(std::vector<Address> addresses, Done done);
  /// Closes connections that have taken too long. Call it regularly.
  void check_time();

 private:
  using Clock = std::chrono::steady_clock;
  struct Call {
    std::vector<Address> addresses;
    std::size_t next = 0;
    os::Descriptor socket;
    Clock::time_point until;
    Done done;
    std::string fault = "no address was found";
  };

  void try_next(std::uint64_t id);
  void finished(std::uint64_t id, int fault);

  os::PollLoop& loop_;
  std::map<std::uint64_t, Call> calls_;
  std::uint64_t next_ = 0;
};

}  // namespace rv::forward
