#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workers/collectives/collective_values.h"

namespace rv::workers {

inline constexpr Collective all_collectives[] = {Collective::all_reduce,     Collective::all_gather,
                                                 Collective::reduce_scatter, Collective::broadcast,
                                                 Collective::alltoall,       Collective::sendrecv};

std::string_view collective_name(Collective collective);
std::optional<Collective> collective(std::string_view name);

enum class ElementType { int8, int32, int64, fp16, bf16, fp32, fp64 };

inline constexpr ElementType all_element_types[] = {ElementType::int8, ElementType::int32, ElementType::int64,
                                                    ElementType::fp16, ElementType::bf16,  ElementType::fp32,
                                                    ElementType::fp64};

std::string_view element_type_name(ElementType type);
std::optional<ElementType> element_type(std::string_view name);
std::size_t element_bytes(ElementType type);
/// The largest N for which the type represents every integer from 0 to N exactly.
std::uint64_t exact_integers(ElementType type);

/// One collective on buffers of a given size. Sizes are those of nccl-tests: the bytes of the gathered array for
/// all_gather, of the array before the reduction for reduce_scatter, and of what one rank sends for alltoall.
struct Call {
  Collective collective = Collective::all_reduce;
  ElementType type = ElementType::fp32;
  /// elements that one rank sends to or receives from another; the whole count if the array is not divided
  std::uint64_t part = 0;
  bool in_place = false;
  int world = 1;
  int root = 0;

  bool divides() const;            ///< whether the array is divided into one part per rank
  std::uint64_t sent() const;      ///< elements in the send buffer
  std::uint64_t received() const;  ///< elements in the receive buffer
  std::uint64_t bytes() const;     ///< the size, as nccl-tests counts it
  Values values() const;
};

/// Returns the largest call of at most `bytes` bytes, with at least one element per rank.
Call make_call(Collective collective, ElementType type, std::size_t bytes, bool in_place, int world);

/// Whether NCCL defines the collective in place: the receive buffer at its place in the send buffer, or the reverse.
bool has_in_place(Collective collective);

/// The factor from algorithm bandwidth (bytes / time) to bus bandwidth, from nccl-tests' PERFORMANCE.md. Bus bandwidth
/// is the speed of the links, which can be compared between numbers of ranks: 2(n-1)/n for all_reduce; (n-1)/n for
/// all_gather, reduce_scatter and alltoall; 1 for broadcast and sendrecv.
double bus_factor(Collective collective, int world);

/// Parses "8", "64K", "1M" or "8G" (powers of 1024) and returns bytes; nothing if the text is not a size.
std::optional<std::size_t> parse_size(std::string_view text);
/// Prints bytes with the largest unit that divides them: 1048576 → "1M", 1000 → "1000".
std::string size_text(std::uint64_t bytes);

}  // namespace rv::workers
