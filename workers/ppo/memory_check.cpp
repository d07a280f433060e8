#include "workers/ppo/memory_check.h"

#include <fmt/format.h>

#include "workers/ppo/iteration_log.h"

namespace rv::ppo {

std::string with_commas(long number) {
  auto text = fmt::format("{}", number);
  for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::optional<workers::Refusal> refuse_what_does_not_fit(int environments, const workers::AvailableMemory& memory,
                                                         bool on_gpu, const std::function<std::size_t(int)>& needed) {
  const auto asked = needed(environments);
  if (asked <= memory.free) return std::nullopt;
  const int fits = workers::most_that_fit(environments, memory.free, needed);
  const auto taken = memory.total - memory.free;
  return workers::Refusal{
      fmt::format("{}: {} environments need {} of {} of {}memory, and {} are in use",
                  on_gpu ? "out_of_memory" : "out_of_host_memory", with_commas(environments),
                  gigabytes_text(static_cast<double>(asked)), gigabytes_text(static_cast<double>(memory.total)),
                  on_gpu ? "GPU " : "", gigabytes_text(static_cast<double>(taken))),
      fits > 0 ? fmt::format("--num-envs {} fits", fits) : "not even one environment fits; free some memory",
      does_not_fit};
}

}  // namespace rv::ppo
