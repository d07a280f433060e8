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
/// The integers 0…this are exact in the type.
std::uint64_t exact_integers(ElementType type);

/// One collective on buffers of a size. Sizes count as nccl-tests counts them: the bytes of all_gather are those of
/// the whole gathered array, of reduce_scatter those of the whole array before, of alltoall those that one rank sends.
struct Call {
  Collective collective = Collective::all_reduce;
  ElementType type = ElementType::fp32;
  std::uint64_t part = 0;  ///< elements that one rank gives or gets; the whole count where nothing is divided
  bool in_place = false;
  int world = 1;
  int root = 0;

  bool divides() const;            ///< the array is in as many parts as there are ranks
  std::uint64_t sent() const;      ///< elements in the send buffer
  std::uint64_t received() const;  ///< elements in the receive buffer
  std::uint64_t bytes() const;     ///< what the sweep calls the size
  Values values() const;
};

/// The call whose bytes are the most not above `bytes`, at least one element a rank.
Call make_call(Collective collective, ElementType type, std::size_t bytes, bool in_place, int world);

/// Whether NCCL defines the collective with the receive buffer over the send buffer.
bool has_in_place(Collective collective);

/// Bus bandwidth over algorithm bandwidth (bytes / time), as nccl-tests' PERFORMANCE.md derives it: the speed that the
/// links must have had, comparable over rank counts. all_reduce 2(n-1)/n; all_gather, reduce_scatter and alltoall
/// (n-1)/n; broadcast and sendrecv 1.
double bus_factor(Collective collective, int world);

/// "8", "64K", "1M", "8G" (powers of 1024) in bytes; none if it is no size.
std::optional<std::size_t> parse_size(std::string_view text);
/// 1048576 → "1M", 1000 → "1000".
std::string size_text(std::uint64_t bytes);

}  // namespace rv::workers
