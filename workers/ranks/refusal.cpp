#include "workers/ranks/refusal.h"

#include <fmt/format.h>

#include <new>

#include "shared/documents/json_integer.h"
#include "workers/devices/cause.h"
#include "workers/devices/out_of_memory.h"

namespace rv::workers {
namespace {

void leave_errors_with(Peer& peer, int code) {
  peer.report(Json{{"kind", "exit"}, {"verdict", to_string(Verdict::error)}, {"code", code}});
}

}  // namespace

std::optional<Refusal> agreed_refusal(Peer& peer, const std::optional<Refusal>& own) {
  const auto all =
      peer.gather("whether it can begin",
                  own ? Json{{"message", own->message}, {"advice", own->advice}, {"code", own->code}} : Json());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].is_null()) continue;
    const auto where = peer.world() > 1 ? fmt::format("rank {} (host {}): ", rank, peer.hosts()[rank]) : "";
    return Refusal{where + all[rank].at("message").get<std::string>(), all[rank].at("advice").get<std::string>(),
                   integer_at<int>(all[rank], "code")};
  }
  return std::nullopt;
}

void say_refusal(const char* program, const Refusal& refusal) {
  fmt::print(stderr, "{}: error: {}\nhint: {}\n", program, refusal.message, refusal.advice);
}

void report_refusal(Peer& peer, const char* program, const Refusal& refusal, Measurement measurement) {
  say_refusal(program, refusal);
  leave_errors_with(peer, refusal.code);
  measurement.verdict = Verdict::error;
  measurement.reason = refusal.message;
  if (refusal.code == does_not_fit) measurement.params["cause"] = out_of_memory;
  peer.report(measurement);
}

void refuse_late(Peer& peer, const char* program, const char* advice, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    say_refusal(program,
                {"out_of_host_memory: an allocation failed, although the prediction was that it fits", advice});
    leave_errors_with(peer, does_not_fit);
    throw;
  } catch (const OutOfMemory& error) {
    say_refusal(program, {fmt::format("{}, although the prediction was that it fits", error.what()), advice});
    leave_errors_with(peer, does_not_fit);
    throw;
  }
}

}  // namespace rv::workers
