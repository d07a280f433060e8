// Reads the messages that ranks send, as the coordinator does.
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fuzz/target.h"
#include "workers/ranks/channel.h"
#include "workers/ranks/coordinator.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  int ends[2];
  if (size > 60'000 || ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
  os::Descriptor far_end(ends[1]);
  Channel channel{os::Descriptor(ends[0])};
  if (::write(far_end.number(), data, size) != static_cast<ssize_t>(size)) return 0;
  far_end.close();
  const auto now = Clock::now();
  Coordinator coordinator({"n1", "n2"}, {}, now);
  coordinator.join(0, "n1", 1, "10.0.0.1", now);
  coordinator.join(1, "n2", 2, "10.0.0.2", now);
  channel.receive_some(std::size_t{1} << 20);
  while (const auto message = channel.next()) {
    // As Meeting does: what is not an object is a stranger's, and so is one whose members have other types.
    if (!message->is_object()) return 0;
    fuzz::read_or_refuse<Json::exception>([&] { coordinator.receive(0, *message, now); });
    fuzz::read_or_refuse<Json::exception>([&] { coordinator.receive(1, *message, now); });
    coordinator.tick(now);
  }
  return 0;
}
