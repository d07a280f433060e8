#include "reports/sweep/memory_message.h"

#include "base/failures/message.h"

namespace rv::sweep {

std::optional<MemoryMessage> memory_message_in(std::string_view piece) {
  constexpr std::size_t longest = 300;
  const auto match = failures::cause_in(piece);
  if (!match || match->certainty != failures::Certainty::certain) return std::nullopt;
  const auto fault = failures::text_of(match->cause).fault;
  const bool of_host = fault == failures::Fault::host_memory;
  if (!of_host && fault != failures::Fault::gpu_memory) return std::nullopt;
  return MemoryMessage{failures::excerpt(piece, match->at, longest), of_host};
}

}  // namespace rv::sweep
