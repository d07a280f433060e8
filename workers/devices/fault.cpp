#include "workers/devices/fault.h"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <stdexcept>
#include <string>
#include <utility>

namespace rv::workers {

Fault fault_from(std::string_view text) {
  constexpr std::pair<std::string_view, Fault::Kind> names[] = {
      {"never", Fault::Kind::never},     {"die", Fault::Kind::die},         {"hang", Fault::Kind::hang},
      {"stuck", Fault::Kind::stuck},     {"corrupt", Fault::Kind::corrupt}, {"nan", Fault::Kind::nan},
      {"slow", Fault::Kind::slow},       {"leak", Fault::Kind::leak},       {"descriptor", Fault::Kind::descriptor},
      {"segment", Fault::Kind::segment}, {"orphan", Fault::Kind::orphan}};
  const auto wrong = [&]() { return std::invalid_argument("--inject: \"" + std::string(text) + "\" is not a fault"); };
  const auto at = text.find('@');
  if (at == std::string_view::npos) throw wrong();
  Fault fault;
  for (const auto& [name, kind] : names) {
    if (text.substr(0, at) == name) fault.kind = kind;
  }
  if (fault.kind == Fault::Kind::none) throw wrong();
  const auto* const last = text.data() + text.size();
  const auto [colon, code] = std::from_chars(text.data() + at + 1, last, fault.rank);
  if (code != std::errc() || (colon != last && *colon != ':')) throw wrong();
  if (colon != last) {
    const auto [rest, code_at] = std::from_chars(colon + 1, last, fault.at);
    if (code_at != std::errc() || rest != last) throw wrong();
  }
  return fault;
}

void suffer(const Fault& fault, int rank, std::int64_t step) {
  if (fault.rank != rank || fault.at != step) return;
  if (fault.kind == Fault::Kind::die) raise(SIGKILL);
  if (fault.kind == Fault::Kind::hang) raise(SIGSTOP);
  if (fault.kind == Fault::Kind::stuck) {
    while (true) sleep(3600);
  }
}

}  // namespace rv::workers
