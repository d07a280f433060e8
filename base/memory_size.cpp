#include "base/memory_size.h"

#include <array>
#include <charconv>
#include <limits>

namespace rv {

namespace {

constexpr std::int64_t kib_per_mib = 1024;
constexpr std::size_t most_fraction_digits = 6;  // keeps fraction × unit inside 64 bits

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// KiB in one unit; empty for an unknown one. "" is MiB.
std::optional<std::int64_t> unit_in_kib(std::string_view unit) {
  std::string name;
  for (const char c : unit) name += upper(c);
  if (name.empty()) return kib_per_mib;
  const std::string_view rest = std::string_view(name).substr(1);
  if (!rest.empty() && rest != "B" && rest != "IB") return std::nullopt;
  constexpr std::string_view letters = "KMGTP";
  const std::size_t power = letters.find(name.front());
  if (power == std::string_view::npos) return std::nullopt;
  return std::int64_t{1} << (10 * power);
}

}  // namespace

std::optional<Mebibytes> parse_memory(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  auto [at, fault] = std::from_chars(text.data(), end, whole);
  if (fault != std::errc()) return std::nullopt;

  std::int64_t fraction = 0;
  std::int64_t scale = 1;
  if (at != end && *at == '.') {
    const char* const digits = ++at;
    while (at != end && *at >= '0' && *at <= '9') {
      fraction = fraction * 10 + (*at - '0');
      scale *= 10;
      if (static_cast<std::size_t>(++at - digits) > most_fraction_digits) return std::nullopt;
    }
    if (at == digits) return std::nullopt;
  }
  const auto unit = unit_in_kib({at, static_cast<std::size_t>(end - at)});
  if (!unit || whole > std::numeric_limits<std::int64_t>::max() / 4 / *unit) return std::nullopt;
  const std::int64_t kib = whole * *unit + (fraction * *unit + scale - 1) / scale;
  return Mebibytes{(kib + kib_per_mib - 1) / kib_per_mib};
}

std::string format_memory(Mebibytes amount) {
  constexpr std::array<char, 3> units{'M', 'G', 'T'};  // sbatch knows no larger one
  std::int64_t count = amount.count;
  std::size_t unit = 0;
  while (count != 0 && count % 1024 == 0 && unit + 1 < units.size()) {
    count /= 1024;
    ++unit;
  }
  return std::to_string(count) + units[unit];
}

}  // namespace rv
