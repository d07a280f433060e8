#include "workers/collectives/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace rv::workers {

std::string_view collective_name(Collective collective) {
  switch (collective) {
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::all_gather:
      return "all_gather";
    case Collective::reduce_scatter:
      return "reduce_scatter";
    case Collective::broadcast:
      return "broadcast";
    case Collective::alltoall:
      return "alltoall";
    case Collective::sendrecv:
      return "sendrecv";
  }
  return "";
}

std::optional<Collective> collective(std::string_view name) {
  for (const auto one : all_collectives) {
    if (collective_name(one) == name) return one;
  }
  return std::nullopt;
}

std::string_view element_type_name(ElementType type) {
  switch (type) {
    case ElementType::int8:
      return "int8";
    case ElementType::int32:
      return "int32";
    case ElementType::int64:
      return "int64";
    case ElementType::fp16:
      return "fp16";
    case ElementType::bf16:
      return "bf16";
    case ElementType::fp32:
      return "fp32";
    case ElementType::fp64:
      return "fp64";
  }
  return "";
}

std::optional<ElementType> element_type(std::string_view name) {
  for (const auto type : all_element_types) {
    if (element_type_name(type) == name) return type;
  }
  return std::nullopt;
}

std::size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::int8:
      return 1;
    case ElementType::fp16:
    case ElementType::bf16:
      return 2;
    case ElementType::int32:
    case ElementType::fp32:
      return 4;
    case ElementType::int64:
    case ElementType::fp64:
      return 8;
  }
  return 1;
}

std::uint64_t exact_integers(ElementType type) {
  switch (type) {
    case ElementType::int8:
      return 127;
    case ElementType::bf16:
      return 256;  // 8 bits of mantissa, including the hidden one
    case ElementType::fp16:
      return 2048;
    default:
      return 1 << 20;
  }
}

bool Call::divides() const {
  return collective == Collective::all_gather || collective == Collective::reduce_scatter ||
         collective == Collective::alltoall;
}

std::uint64_t Call::sent() const {
  return collective == Collective::reduce_scatter || collective == Collective::alltoall
             ? part * static_cast<std::uint64_t>(world)
             : part;
}

std::uint64_t Call::received() const {
  return collective == Collective::all_gather || collective == Collective::alltoall
             ? part * static_cast<std::uint64_t>(world)
             : part;
}

std::uint64_t Call::bytes() const {
  return std::max(sent(), received()) * element_bytes(type);
}

Values Call::values() const {
  const bool summed = collective == Collective::all_reduce || collective == Collective::reduce_scatter;
  return values_for(world, exact_integers(type), summed);
}

Call make_call(Collective collective, ElementType type, std::size_t bytes, bool in_place, int world) {
  Call call{collective, type, 0, in_place, world, 0};
  const auto elements = bytes / element_bytes(type);
  call.part = std::max<std::uint64_t>(call.divides() ? elements / static_cast<std::uint64_t>(world) : elements, 1);
  return call;
}

bool has_in_place(Collective collective) {
  return collective != Collective::alltoall && collective != Collective::sendrecv;
}

double bus_factor(Collective collective, int world) {
  const double n = world;
  switch (collective) {
    case Collective::all_reduce:
      return 2 * (n - 1) / n;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::alltoall:
      return (n - 1) / n;
    case Collective::broadcast:
    case Collective::sendrecv:
      return 1;
  }
  return 1;
}

std::optional<std::size_t> parse_size(std::string_view text) {
  std::size_t value = 0;
  const auto* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, value);
  if (code != std::errc()) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(last - end));
  if (unit.size() > 1 && unit.back() == 'B') unit.remove_suffix(1);
  int shift = -1;
  if (unit.empty() || unit == "B") shift = 0;
  if (unit == "K" || unit == "k") shift = 10;
  if (unit == "M" || unit == "m") shift = 20;
  if (unit == "G" || unit == "g") shift = 30;
  if (shift < 0 || value == 0 || value > std::numeric_limits<std::size_t>::max() >> (shift + 1)) return std::nullopt;
  return value << shift;
}

std::string size_text(std::uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair{30, 'G'}, {20, 'M'}, {10, 'K'}}) {
    const auto one = std::uint64_t{1} << shift;
    if (bytes >= one && bytes % one == 0) return fmt::format("{}{}", bytes / one, unit);
  }
  return fmt::format("{}", bytes);
}

}  // namespace rv::workers
